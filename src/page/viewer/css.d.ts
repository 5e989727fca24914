/** The bundle of the viewer has style sheets as texts. */
declare module '*.css' {
  const text: string;
  export default text;
}
