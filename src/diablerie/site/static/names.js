// Names that windows, visits and folders of one origin share: in databases, caches, locks and what is
// remembered. Each carries the folder's path, since several sites may lie at one origin.

export const base = new URL("./", import.meta.url);

/** The name of something of this folder's site. */
export const named = (what) => `diablerie ${base.pathname} ${what}`;
