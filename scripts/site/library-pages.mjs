import { join } from 'node:path';
import { Application, Converter, LiteralType, ReflectionKind, UnionType } from 'typedoc';

/** What a program imports, by the source file that exports it, from `src` on. */
const entryPoints = {
  'index.ts': 'shelflist',
  'client/index.ts': 'shelflist/client',
  'formats.ts': 'shelflist/formats',
  'store.ts': 'shelflist/store',
  'store-suite/store-suite.ts': 'shelflist/store-suite',
};

/**
 * Writes a page for each export of the package to a folder, from the docstrings. A `{@link}` that leads nowhere is an error,
 * as is each other warning.
 */
export async function writeLibraryPages(root, folder) {
  const paths = Object.keys(entryPoints).map((path) => join(root, 'src', path));
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    tsconfig: join(root, 'scripts/site/tsconfig.json'),
    entryPoints: paths,
    out: folder,
    basePath: join(root, 'src'),
    name: 'Library',
    readme: 'none',
    // Addresses of sources would differ between checkouts.
    disableSources: true,
    skipErrorChecking: true, // `npm run typecheck` checks them.
    excludePrivate: true,
    excludeInternal: true,
    // Types that are made from a table name it; the table itself is not exported.
    validation: { invalidLink: true, notExported: false },
    treatWarningsAsErrors: true,
    logLevel: 'Warn',
    // `index` is the name that VitePress serves for a folder.
    entryFileName: 'index',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    propertyMembersFormat: 'table',
  });
  const unions = new Map();
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const values = valuesOf(context, reflection);
    if (values !== undefined)
      unions.set(reflection, new UnionType(values.map((each) => new LiteralType(each))));
  });
  const project = await app.convert();
  for (const [reflection, union] of unions) reflection.type = union;
  if (project === undefined) throw new Error('TypeDoc cannot read the sources; its messages are above');
  for (const module of project.children) module.name = nameOf(module.name);
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('the docstrings have dead links or other faults; the messages of TypeDoc are above');
}

/** The values of a union of texts, which is often made from a table: TypeDoc would show the name of the table. */
function valuesOf(context, reflection) {
  if (!reflection.kindOf(ReflectionKind.TypeAlias)) return undefined;
  const symbol = context.getSymbolFromReflection(reflection);
  const type = symbol && context.checker.getDeclaredTypeOfSymbol(symbol);
  if (!type?.isUnion() || !type.types.every((each) => each.isStringLiteral())) return undefined;
  return type.types.map(({ value }) => value);
}

/** TypeDoc names a module by its path, without `index.ts`. */
function nameOf(module) {
  const path = [`${module}.ts`, `${module}/index.ts`].find((each) => each in entryPoints);
  if (path === undefined) throw new Error(`no entry point is named ${module}`);
  return entryPoints[path];
}
