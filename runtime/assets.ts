// Static files of the interface: read once at the start, named by content hash, compressed at build time, cacheable for
// ever. What is not in the list does not exist; no path reaches the file system.
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { SECURITY_HEADERS } from './security-headers.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
const ENCODINGS: [string, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

export interface Assets {
  /** Logical name → path below /assets/. */
  manifest: Record<string, string>;
  /** Answers a request for `/assets/…`; false when there is no such file. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
}

export function loadAssets(folder: string): Assets {
  const names = new Set(readdirSync(folder));
  const manifest = names.has('manifest.json')
    ? (JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, string>)
    : {};
  const contents = new Map<string, Buffer>();
  /** Read at the first request: the API explorer is large and seldom opened. */
  const content = (name: string): Buffer => {
    let bytes = contents.get(name);
    if (!bytes) {
      bytes = readFileSync(join(folder, name));
      contents.set(name, bytes);
    }
    return bytes;
  };
  return {
    manifest,
    serve(request, response) {
      const name = request.url!.slice('/assets/'.length).split('?')[0]!;
      const type = TYPES[extname(name)];
      if (!names.has(name) || type === undefined || name === 'manifest.json') return false;
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      const accepted = String(request.headers['accept-encoding'] ?? '');
      const [encoding, suffix] = ENCODINGS.find(([word, end]) => accepted.includes(word) && names.has(name + end)) ?? [
        null,
        '',
      ];
      const body = content(name + suffix);
      response.writeHead(200, {
        ...SECURITY_HEADERS,
        'content-type': type,
        'content-length': body.length,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(encoding && { 'content-encoding': encoding }),
      });
      response.end(request.method === 'HEAD' ? undefined : body);
      return true;
    },
  };
}
