// Bytes of installer media over HTTP: loaders and modules, whole or in one range (RFC 9110, 14), with HEAD for loaders
// that add up sizes first. What is sent is read as the client takes it, so that memory does not grow with the file.
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MediaFile } from '../shared/services/network-boot/boot/media-files.ts';
import { pump } from './file-pump.ts';

export interface Range {
  start: number;
  /** Included. */
  end: number;
}

/**
 * The range that a request asks for. Null: the whole file, which is also the answer to several ranges and to units that
 * are not known. `unsatisfiable`: none of it is in the file. A last position beyond the end is the end, of however many
 * digits it is (RFC 9110, 14.1.2): loaders ask for more than there is.
 */
export function rangeOf(header: string | undefined, size: number): Range | null | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** A strong comparison of the tag with a list of tags. */
const names = (list: string | undefined, etag: string): boolean =>
  list !== undefined && (list.trim() === '*' || list.split(',').some((each) => each.trim() === etag));

/**
 * Answers GET or HEAD with the file, 206, 304 or 416. True when the answer is out or its reader has gone; false, with
 * nothing written, when the file is not there as its medium's index has it.
 */
export async function streamMediaFile(
  request: IncomingMessage,
  response: ServerResponse,
  media: MediaFile,
): Promise<boolean> {
  const file = await media.open().catch(() => null);
  try {
    if (!file || (await file.stat()).size !== media.size) return false;
    await answerFrom(file, request, response, media);
    return true;
  } finally {
    await file?.close();
  }
}

async function answerFrom(
  file: FileHandle,
  request: IncomingMessage,
  response: ServerResponse,
  { size, etag }: MediaFile,
): Promise<void> {
  const { range: wanted, 'if-range': condition, 'if-none-match': known } = request.headers;
  const common = {
    'content-type': 'application/octet-stream',
    'accept-ranges': 'bytes',
    etag,
    // Nothing secret, and the path may hold another medium's bytes after the next apply.
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  };
  if (names(known, etag)) return void response.writeHead(304, common).end();
  const applies = request.method === 'GET' && (condition === undefined || condition === etag);
  const range = applies ? rangeOf(wanted, size) : null;
  if (range === 'unsatisfiable') {
    return void response.writeHead(416, { ...common, 'content-range': `bytes */${size}`, 'content-length': 0 }).end();
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.writeHead(range ? 206 : 200, {
    ...common,
    'content-length': end - start + 1,
    ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  if (request.method === 'HEAD') return void response.end();
  // Machines that are switched off while they load are nothing to report; a file that can't be read ends the connection,
  // so that no loader takes half of it for the whole.
  try {
    await pump(file, response, start, end);
    response.end();
  } catch {
    response.destroy();
  }
}
