// Where disks arrive: bytes are counted and hashed, and nothing is kept. Breaks off, stalls and refuses as told.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Leases, SeenUpload } from './leases.ts';

export interface UploadRules {
  /** At this part of the announced bytes (0 to 1) it takes no more, or cuts the connection; so many times. */
  upload_break: { how: 'stall' | 'reset'; at: number; times?: number } | null;
  /** Answered instead of taking the body. */
  upload_status: number | null;
  /** Bytes a second; null: as fast as it goes. */
  upload_rate: number | null;
}

export interface Uploads {
  seen: SeenUpload[];
  take(request: IncomingMessage, response: ServerResponse): void;
  /** Cuts what is under way for a lease. */
  cut(ticket: string): void;
}

export function uploads(rules: UploadRules, seen: SeenUpload[], leases: () => Leases): Uploads {
  const open = new Map<IncomingMessage, string>();

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , ticket = '', file = ''] = (request.url ?? '').split('/');
    const lease = leases().byTicket(ticket);
    const known = lease?.files.find(({ name }) => name === file);
    const announced = Number(request.headers['content-length'] ?? Number.NaN);
    const upload: SeenUpload = {
      ...{ lease: lease?.id ?? '', file, path: known?.path ?? '', method: request.method ?? '' },
      headers: {
        'content-type': request.headers['content-type'],
        overwrite: request.headers.overwrite as string | undefined,
        cookie: request.headers.cookie,
        authorization: request.headers.authorization,
        host: request.headers.host,
      },
      announced: Number.isNaN(announced) ? null : announced,
      ...{ bytes: 0, sha256: null, sha1: null, status: null, began: performance.now(), ended: null },
    };
    seen.push(upload);
    const answer = (status: number) => {
      upload.status = status;
      upload.ended = performance.now();
      response.writeHead(status).end();
    };
    const method = known?.disk ? 'POST' : 'PUT';
    if (!lease || !known || lease.state !== 'ready') return answer(404);
    if (request.method !== method) return answer(405);
    if (upload.announced === null) return answer(411);
    if (rules.upload_status !== null) return answer(rules.upload_status);
    open.set(request, ticket);
    try {
      if (!(await received(request, upload))) return;
    } finally {
      open.delete(request);
      upload.ended = performance.now();
    }
    if (known.size !== null && upload.bytes !== known.size) {
      upload.sha256 = null;
      await leases().fail(lease, { type: 'SystemError', message: `The file ${file} has another size than announced.` });
      return answer(500);
    }
    answer(200);
  }

  /** False when it did not come to its end. */
  async function received(request: IncomingMessage, upload: SeenUpload): Promise<boolean> {
    const [sha256, sha1] = [createHash('sha256'), createHash('sha1')];
    const began = performance.now();
    try {
      for await (const piece of request as AsyncIterable<Buffer>) {
        upload.bytes += piece.length;
        sha256.update(piece);
        sha1.update(piece);
        const broken = rules.upload_break;
        if (broken && broken.times !== 0 && upload.bytes >= broken.at * (upload.announced ?? 0)) {
          if (broken.times !== undefined) broken.times -= 1;
          if (broken.how === 'reset') request.socket.destroy();
          else await once(request.socket, 'close');
          return false;
        }
        const due =
          rules.upload_rate === null ? 0 : (upload.bytes / rules.upload_rate) * 1000 - (performance.now() - began);
        if (due > 5) await pause(due);
      }
    } catch {
      return false;
    }
    if (!request.complete) return false;
    upload.sha256 = sha256.digest('hex');
    upload.sha1 = sha1.digest('hex');
    return true;
  }

  return {
    seen,
    take: (request, response) => {
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      void take(request, response).catch(() => request.socket.destroy());
    },
    cut: (ticket) => {
      for (const [request, of] of open) if (of === ticket) request.socket.destroy();
    },
  };
}
