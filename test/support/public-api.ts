import ts from 'typescript';
import { load } from './exported-types.ts';

/**
 * The public API as text: the declarations that each entry point exports, without docstrings, sorted by name. What several export
 * is written once. Declarations that they mention but do not export, such as tables of literal types, are at the end.
 *
 * @param entries What a program imports, by the path of its declarations.
 */
export function describePublicApi(entries: Readonly<Record<string, string>>): string {
  const { program, checker, resolve, ownDeclarations } = load(Object.keys(entries));
  const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
  const written = new Map<ts.Symbol, string>();
  const mentioned = new Set<ts.Symbol>();

  const mention = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (symbol !== undefined) mentioned.add(resolve(symbol));
    ts.forEachChild(node, mention);
  };
  const print = (symbol: ts.Symbol): string =>
    ownDeclarations(symbol)
      .map((each) => {
        mention(each);
        // A constant is declared by its statement.
        const node = ts.isVariableDeclaration(each) ? each.parent.parent : each;
        const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
        return text.replace(/^export /, '').replace(/^declare /, '');
      })
      .join('\n');

  const sections = Object.entries(entries).map(([path, name]) => {
    const file = program.getSourceFile(path);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${path} exports nothing`);
    const exports = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    const own = exports.map((each) => ({ name: each.name, symbol: resolve(each) }));
    const shared = own.filter(({ symbol }) => written.has(symbol));
    const declared = own.filter(({ symbol }) => !written.has(symbol));
    for (const each of declared) written.set(each.symbol, each.name);
    return [
      `# ${name}: ${exports.length} names`,
      ...(shared.length > 0 ? [`As above: ${shared.map((each) => each.name).join(', ')}`] : []),
      ...declared.map(({ symbol }) => print(symbol)),
    ].join('\n\n');
  });

  const rest: string[] = [];
  for (const symbol of mentioned) {
    // The iteration includes symbols added meanwhile. Members and parameters are part of what declares them.
    const isTopLevel = ownDeclarations(symbol).some(({ parent }) =>
      ts.isSourceFile(ts.isVariableDeclarationList(parent) ? parent.parent.parent : parent),
    );
    if (!isTopLevel || written.has(symbol)) continue;
    written.set(symbol, symbol.name);
    rest.push(print(symbol));
  }
  return `${[...sections, '# Mentioned, but not exported', ...rest.sort()].join('\n\n')}\n`;
}
