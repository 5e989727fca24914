/** What the service tells the page, as attributes of the element that holds it. */
const attributes = document.getElementById('app')?.dataset ?? {};

/** Whether everybody may read without a login. */
export const isPublic = attributes.publicRead === 'true';
