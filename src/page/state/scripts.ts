/**
 * Loads a script of the page on first use. A browser may remember that an address failed: each attempt has another one.
 *
 * @param name That of its file, beside the script of the page.
 * @returns What the script exports. It rejects with a TypeError if the script cannot be loaded.
 */
export function lazyScript<Script>(name: string): () => Promise<Script> {
  let script: Promise<Script> | undefined;
  let attempts = 0;
  const load = async () => {
    const address = new URL(`${name}#${attempts++}`, import.meta.url);
    try {
      return (await import(address.href)) as Script;
    } catch (error) {
      script = undefined;
      throw error;
    }
  };
  return () => (script ??= load());
}
