// Static files of the interface: read once at the start, named by content hash, compressed at build time, cacheable for
// ever. Only files of the list exist; no path reaches the file system.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { CODINGS, type Coding } from '../shared/kernel/operation/constant.ts';
import { codingOf, has, sendBody } from './constant-answer.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
const SUFFIXES: Record<Coding, string> = { br: '.br', gzip: '.gz', identity: '' };

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
  const contents = new Map<string, { body: Buffer; digest: string }>();
  /** Read at the first request: the API explorer is large and seldom opened. */
  const content = (name: string): { body: Buffer; digest: string } => {
    let kept = contents.get(name);
    if (!kept) {
      const body = readFileSync(join(folder, name));
      kept = { body, digest: createHash('sha256').update(body).digest('base64url').slice(0, 22) };
      contents.set(name, kept);
    }
    return kept;
  };
  return {
    manifest,
    serve(request, response) {
      const name = request.url!.slice('/assets/'.length).split('?')[0]!;
      const type = TYPES[extname(name)];
      if (!names.has(name) || type === undefined || name === 'manifest.json') return false;
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      const offered = CODINGS.filter((coding) => names.has(name + SUFFIXES[coding]));
      const coding = codingOf(request.headers['accept-encoding'] as string | undefined, offered);
      const { body, digest } = content(name + SUFFIXES[coding]);
      const etag = `"${digest}"`;
      const headers = {
        ...SECURITY_HEADERS,
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        etag,
        ...(coding !== 'identity' && { 'content-encoding': coding }),
      };
      if (has(request.headers['if-none-match'], etag)) {
        response.writeHead(304, headers).end();
        return true;
      }
      response.writeHead(200, { ...headers, 'content-length': body.length });
      if (request.method === 'HEAD') response.end();
      else void sendBody(response, body);
      return true;
    },
  };
}
