// Paths of mounts and exports: plain parts, and no two of them inside one another.

const PART = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;

/** Whether a relative path consists of plain parts: no empty one, no `.`, no `..`, nothing that an export must quote. */
export const isPath = (path: string): boolean => path.split('/').every((part) => PART.test(part));

/** Whether two paths are the same or one lies inside the other. */
export const nested = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
