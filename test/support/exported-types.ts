import ts from 'typescript';

interface Exported {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** What the entry points export. */
  readonly symbols: ReadonlySet<ts.Symbol>;
  readonly resolve: (symbol: ts.Symbol) => ts.Symbol;
  /** The declarations of a symbol in the folder of the entry points. */
  readonly ownDeclarations: (symbol: ts.Symbol) => ts.Declaration[];
}

export function load(entries: readonly string[]): Exported {
  const program = ts.createProgram({
    rootNames: [...entries],
    options: {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      // Only declarations of the package count: without the others, it takes a fraction of the time.
      noLib: true,
      types: [],
    },
  });
  const checker = program.getTypeChecker();
  const resolve = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const folder = entries[0]?.slice(0, entries[0].lastIndexOf('/')) ?? '';
  const symbols = new Set<ts.Symbol>();
  for (const entry of entries) {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entry} exports nothing`);
    for (const symbol of checker.getExportsOfModule(module)) symbols.add(resolve(symbol));
  }
  const ownDeclarations = (symbol: ts.Symbol) =>
    (symbol.declarations ?? []).filter((each) => each.getSourceFile().fileName.startsWith(folder));
  return { program, checker, symbols, resolve, ownDeclarations };
}

/** The types that an exported declaration mentions, directly or not, but that cannot be imported. */
export function unexportedTypes(entries: readonly string[]): string[] {
  const { checker, symbols: exported, resolve, ownDeclarations } = load(entries);
  const mentioned = new Set(exported);
  const visit = (node: ts.Node): void => {
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol !== undefined) mentioned.add(resolve(symbol)); // The iteration includes elements added meanwhile.
    ts.forEachChild(node, visit);
  };
  const unexported: string[] = [];
  for (const symbol of mentioned) {
    const own = ownDeclarations(symbol).filter((each) => !ts.isTypeParameterDeclaration(each));
    if (own.length > 0 && !exported.has(symbol)) unexported.push(symbol.name);
    own.forEach(visit);
  }
  return unexported.sort();
}

/** What authors of apps miss at an exported declaration or its members. */
export interface Gaps {
  /** Those without a docstring. */
  readonly undocumented: string[];
  /** Optional properties that `exactOptionalPropertyTypes` forbids to set to `undefined`. */
  readonly inexact: string[];
}

/** Walks all exported declarations and their members. */
export function findGaps(entries: readonly string[]): Gaps {
  const { checker, symbols, ownDeclarations } = load(entries);
  const gaps: Gaps = { undocumented: [], inexact: [] };
  const check = (name: string, symbol: ts.Symbol) => {
    const [declaration] = ownDeclarations(symbol);
    if (declaration === undefined || ts.isTypeParameterDeclaration(declaration)) return false;
    if (symbol.getDocumentationComment(checker).length === 0) gaps.undocumented.push(name);
    if (!ts.isPropertySignature(declaration) || declaration.questionToken === undefined) return true;
    if (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) return true; // The package gives it.
    const { type } = declaration;
    const isExact =
      type?.kind === ts.SyntaxKind.UnknownKeyword ||
      type?.kind === ts.SyntaxKind.UndefinedKeyword ||
      (type !== undefined &&
        ts.isUnionTypeNode(type) &&
        type.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword));
    if (!isExact && type?.getText() !== 'never') gaps.inexact.push(name);
    return true;
  };
  for (const symbol of symbols) {
    check(symbol.name, symbol);
    const isType = ownDeclarations(symbol).some(
      (each) =>
        ts.isInterfaceDeclaration(each) || ts.isClassDeclaration(each) || ts.isTypeAliasDeclaration(each),
    );
    if (!isType) continue;
    // The members that are written out: those of mapped types follow from the table of fields.
    const { members = new Map<ts.__String, ts.Symbol>() } = symbol;
    for (const [name, member] of members)
      if (!/^__|^#/.test(String(name))) check(`${symbol.name}.${member.name}`, member);
  }
  return gaps;
}
