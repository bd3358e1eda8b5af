// The bytes that the boot listener streams: files of installer media, and the first boot programs for firmware that
// fetches over HTTP.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwn } from '../shared/ground/machine/own-file.ts';
import type { GatewayEvent } from '../shared/kernel/operation/event.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { findBootFile } from '../shared/services/network-boot/boot/boot-files.ts';
import type { MediaFile } from '../shared/services/network-boot/boot/media-files.ts';
import { mediaFiles } from '../shared/services/network-boot/esxi-media/media-files.ts';
import { BOOT_PROGRAMS, TFTP_FOLDER } from '../shared/services/network-boot/files.ts';
import { readManifest } from '../shared/services/network-boot/manifest.ts';
import { IPXE_PATH } from '../shared/services/network-boot/paths.ts';
import type { ListenerOptions } from './listener.ts';
import { streamMediaFile } from './media-stream.ts';

/**
 * Streams at once: each holds a megabyte for as long as its reader likes to take. A machine needs one or two; somebody
 * who reads slowly on purpose neither fills the memory nor takes what all others need.
 */
export class Seats {
  readonly #most: { each: number; all: number };
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(most = { each: 32, all: 256 }) {
    this.#most = most;
  }

  /** Takes a slot for this address, if there is one. */
  take(address: string): boolean {
    const taken = this.#taken.get(address) ?? 0;
    if (taken >= this.#most.each || this.#all >= this.#most.all) return false;
    this.#taken.set(address, taken + 1);
    this.#all += 1;
    return true;
  }

  giveBack(address: string): void {
    const left = (this.#taken.get(address) ?? 1) - 1;
    if (left > 0) this.#taken.set(address, left);
    else this.#taken.delete(address);
    this.#all -= 1;
  }
}

/** Answers GET and HEAD of streamed files; everything else is left to the operations. */
export function bootFiles(services: Services): NonNullable<ListenerOptions['stream']> {
  const media = mediaFiles(services.host);
  const seats = new Seats();
  const find = async ({ rawPath, headers }: GatewayEvent): Promise<MediaFile | null> => {
    if (rawPath.startsWith(IPXE_PATH)) return bootProgram(services, rawPath.slice(IPXE_PATH.length));
    const found = await findBootFile(services.store, services, rawPath, headers.host);
    return found && media.find(found.media_id, found.name);
  };
  return async (request, response, event) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const file = await find(event);
    if (!file) return false;
    const { sourceIp: source_address } = event.requestContext.http;
    if (!seats.take(source_address)) {
      response.writeHead(503, { 'retry-after': '5', 'content-length': 0, connection: 'close' }).end();
    } else {
      const there = await streamMediaFile(request, response, file).finally(() => seats.giveBack(source_address));
      // Refused like any other missing file; the medium's page and a plan show what is missing.
      if (!there) return false;
    }
    // The path of an attempt has its claim, so the log gets the file and not the path.
    const { statusCode: status } = response;
    const name = event.rawPath.slice(event.rawPath.lastIndexOf('/') + 1);
    services.logger.debug('boot file', {
      name,
      size: file.size,
      status,
      whole: response.writableFinished,
      source_address,
    });
    return true;
  };
}

/** Only while network boot is in force; the same files as over TFTP. */
async function bootProgram({ host }: Services, name: string): Promise<MediaFile | null> {
  if (!(BOOT_PROGRAMS as readonly string[]).includes(name) || (await readManifest(host)) === null) return null;
  const folder = host.resolve(TFTP_FOLDER);
  const found = await lstat(join(folder, name)).catch(() => null);
  if (!found?.isFile()) return null;
  return {
    size: found.size,
    etag: `"${found.size.toString(16)}-${Math.floor(found.mtimeMs).toString(16)}"`,
    open: async () => (await openOwn(folder, name)).file,
  };
}
