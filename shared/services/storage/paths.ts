// Paths of mounts and exports: they have plain parts, and none is inside another.

const PART = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;

/** Whether a relative path has plain parts only: not empty, no `.` or `..`, nothing that an export must quote. */
export const isPath = (path: string): boolean => path.split('/').every((part) => PART.test(part));

/** Whether two paths are the same or one is inside the other. */
export const nested = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

/** Below it all volumes are mounted. */
export const MOUNTS = '/srv/datastores/';
