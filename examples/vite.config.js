// Builds an app with the catalogue for the server: `npx vite build --ssr hono.js`, then `node build/vite/hono.js`.
import { defineConfig } from 'vite';

export default defineConfig({
  build: { target: 'node20', outDir: 'build/vite' },
  ssr: {
    // Vite leaves packages in node_modules, unless told otherwise.
    noExternal: true,
    // SQLite has a compiled part, which stays there. mongodb is loaded only for mongodb:// addresses.
    external: ['@photostructure/sqlite', 'mongodb'],
  },
});
