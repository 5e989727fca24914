/** The theme of VitePress with the fonts of the reader's system: the site is smaller, and needs no other host. */
export { default } from 'vitepress/theme-without-fonts';
