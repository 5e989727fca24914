import ts from 'typescript';

/** The types that an exported declaration mentions, directly or not, but that cannot be imported. */
export function unexportedTypes(entries: readonly string[]): string[] {
  const program = ts.createProgram({
    rootNames: [...entries],
    options: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  });
  const checker = program.getTypeChecker();
  const resolve = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const folder = entries[0]?.slice(0, entries[0].lastIndexOf('/')) ?? '';

  const exported = new Set<ts.Symbol>();
  for (const entry of entries) {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entry} exports nothing`);
    for (const symbol of checker.getExportsOfModule(module)) exported.add(resolve(symbol));
  }

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
    const own = (symbol.declarations ?? []).filter(
      (each) => each.getSourceFile().fileName.startsWith(folder) && !ts.isTypeParameterDeclaration(each),
    );
    if (own.length > 0 && !exported.has(symbol)) unexported.push(symbol.name);
    own.forEach(visit);
  }
  return unexported.sort();
}
