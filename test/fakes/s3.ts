// A service that speaks as much of S3 as copies of archives need: PUT, GET, HEAD and DELETE of one object, path style, over
// TLS. It computes Signature Version 4 by itself, from what Amazon documents, and shares no line with the client.
//
// Certain: the canonical request, the string to sign and the chain of keys of Signature Version 4 (AWS General Reference);
// that `x-amz-content-sha256` is held against the body; 403 with the code SignatureDoesNotMatch in XML; 204 for a DELETE of
// what is not there. Uncertain, because no real service was asked: in which order services check the date, the key and the
// digest; the wording of their messages (the client reads the code alone); whether each of them refuses a clock that is 15
// minutes off. Not there: versions, multipart, virtual hosts, Object Lock.
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from './tls-target.ts';

export interface S3Options {
  access_key_id: string;
  secret_access_key: string;
  region: string;
  bucket: string;
}

/** How it goes wrong. `flips`: reads give a byte back wrong. `cuts`: a PUT is cut in the middle. `full`: there is no room. */
export type S3Trouble = 'flips' | 'cuts' | 'full' | null;

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** RFC 3986 as Signature Version 4 wants it: all but the unreserved characters, in upper case. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** With one byte in the middle that is another one. */
function flipped(bytes: Buffer): Buffer {
  const given = Buffer.from(bytes);
  given[given.length >> 1]! ^= 1;
  return given;
}

export class S3Fake {
  readonly options: S3Options;
  /** PEM of its certificate, which signs itself. */
  readonly ca: string;
  readonly objects = new Map<string, Buffer>();
  /** Method, path and status of each request. */
  readonly heard: string[] = [];
  trouble: S3Trouble = null;
  readonly #server: Server;

  private constructor(options: S3Options) {
    this.options = options;
    const { key, cert } = makeCertificate({ names: 'DNS:s3.lab.example,IP:127.0.0.1' });
    this.ca = cert;
    this.#server = createServer({ key, cert }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(options: S3Options): Promise<S3Fake> {
    const fake = new S3Fake(options);
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get endpoint(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const say = (status: number, code = '', body?: Buffer) => {
      this.heard.push(`${request.method} ${request.url} ${status}`);
      response.writeHead(status, body ? { 'content-length': body.length } : { 'content-type': 'application/xml' });
      const xml = code === '' ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
      response.end(request.method === 'HEAD' ? undefined : (body ?? xml));
    };
    const pieces: Buffer[] = [];
    for await (const piece of request) {
      pieces.push(piece as Buffer);
      if (this.trouble === 'cuts' && request.method === 'PUT') return void request.socket.destroy();
    }
    const body = Buffer.concat(pieces);
    const refused = this.#refusal(request, body);
    if (refused) return say(...refused);
    const [, bucket, ...rest] = new URL(request.url!, this.endpoint).pathname.split('/').map(decodeURIComponent);
    if (bucket !== this.options.bucket) return say(404, 'NoSuchBucket');
    this.#serve(request.method ?? '', rest.join('/'), body, say);
  }

  #serve(method: string, key: string, body: Buffer, say: (status: number, code?: string, body?: Buffer) => void): void {
    const found = this.objects.get(key);
    if (method === 'PUT' && this.trouble === 'full') say(507, 'XMinioStorageFull');
    else if (method === 'PUT') {
      this.objects.set(key, body);
      say(200);
    } else if (method === 'DELETE') {
      this.objects.delete(key);
      say(204);
    } else if (found) say(200, '', this.trouble === 'flips' ? flipped(found) : found);
    else say(404, 'NoSuchKey');
  }

  /** Signature Version 4; null: it is the owner's. */
  #refusal({ method, url, headers }: IncomingMessage, body: Buffer): [number, string] | null {
    const read =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;
    const parts = read.exec(headers.authorization ?? '');
    if (!parts) return [403, 'AccessDenied'];
    const [, id, day, region, signed = '', signature] = parts;
    if (id !== this.options.access_key_id) return [403, 'InvalidAccessKeyId'];
    const date = String(headers['x-amz-date'] ?? '');
    const digest = String(headers['x-amz-content-sha256'] ?? '');
    const names = signed.split(';');
    if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name)) || !date.startsWith(day!))
      return [403, 'AccessDenied'];
    const { pathname, searchParams } = new URL(url!, this.endpoint);
    const canonical = [
      method,
      pathname
        .split('/')
        .map((part) => escaped(decodeURIComponent(part)))
        .join('/'),
      [...searchParams]
        .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
        .sort()
        .join('&'),
      ...names.map(
        (name) =>
          `${name}:${String(headers[name] ?? '')
            .trim()
            .replace(/ +/g, ' ')}`,
      ),
      '',
      signed,
      digest,
    ].join('\n');
    const scope = `${day}/${region}/s3/aws4_request`;
    const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
    const { secret_access_key, region: own } = this.options;
    const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret_access_key}`, day!), own));
    if (region !== own || hmac(key, toSign).toString('hex') !== signature) return [403, 'SignatureDoesNotMatch'];
    return digest === sha256(body) ? null : [400, 'XAmzContentSHA256Mismatch'];
  }
}
