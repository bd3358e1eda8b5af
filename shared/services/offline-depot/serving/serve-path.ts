// From the target of a request to a file of the depot, and whether it needs a login. The path is made canonical once,
// like in nginx (decoded once, then empty, `.` and `..` segments resolved), and everything is decided by that form: no
// spelling avoids the login or leaves the store. Pure.

export type ServePath =
  /** `path` is relative to the store; `folder`: the request had a slash at the end. */
  | { kind: 'file'; path: string; open: boolean; folder: boolean }
  /** Never served; whether a login is required first depends on the tree. */
  | { kind: 'none'; open: boolean }
  | { kind: 'malformed' };

/** Served trees. */
const TREES = ['PROD', 'umds-patch-store'];
/** Served without a login: compatibility data of vSAN, and files for hosts, which can't send a login. */
const OPEN = ['PROD/vsan/hcl', 'umds-patch-store'];
/** Other paths at which clients look for two of the files. */
const ALIASES: Readonly<Record<string, string>> = {
  'products/v1/bundles/lastupdatedtime': 'PROD/vsan/hcl/lastupdatedtime.json',
  'products/v1/bundles/all': 'PROD/vsan/hcl/all.json',
};
/** Unfinished uploads and downloads, of this service and of tools that fill a depot. */
const PARTIAL = /(?:\.(?:part|partial|tmp|temp|download|crdownload|filepart|aria2)|~)$/i;

/** Longest name of a file that Linux has, bytes. */
const NAME_MOST = 255;

const below = (path: string, tree: string): boolean => path === tree || path.startsWith(`${tree}/`);

/** Null for a wrong escape, or bytes that are no UTF-8. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Null when it leads above the root. */
function canonical(path: string): string[] | null {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments;
}

/** `target` as the request line has it: with its query, or in absolute form (RFC 9112, 3.2). */
export function servePath(target: string): ServePath {
  const [raw = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  const path = decoded(raw);
  if (path === null || !path.startsWith('/') || path.includes('\0')) return { kind: 'malformed' };
  const segments = canonical(path);
  if (segments === null) return { kind: 'malformed' };
  const named = segments.join('/');
  const folder = /(?:\/|\/\.{1,2})$/.test(path);
  const alias = Object.hasOwn(ALIASES, named) && !folder ? ALIASES[named] : undefined;
  if (alias !== undefined) return { kind: 'file', path: alias, open: true, folder: false };
  const open = OPEN.some((tree) => below(named, tree)) || !TREES.some((tree) => below(named, tree));
  const served = TREES.some((tree) => below(named, tree)) && segments.every(servable);
  return served ? { kind: 'file', path: named, open, folder } : { kind: 'none', open };
}

/** Hidden files, unfinished ones, and names that no depot has but attacks do. */
const servable = (name: string): boolean =>
  !name.startsWith('.') && !PARTIAL.test(name) && !/[\\\p{Cc}]/u.test(name) && Buffer.byteLength(name) <= NAME_MOST;
