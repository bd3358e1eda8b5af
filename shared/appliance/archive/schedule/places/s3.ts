// A bucket of a service that speaks S3 as a place for copies. An object is there whole or not at all, so there are no
// temporary names. One request puts it, which services accept up to 5 GiB.

import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Problem } from '../../../../ground/problems.ts';
import { connectionFault, tooLate } from '../../../../vcf/connection/faults.ts';
import { type Target as Server, serverText } from '../../../../vcf/connection/target.ts';
import type { S3Place } from '../target.ts';
import { type DialShell, dialled, SILENT_MS } from './dial.ts';
import type { OpenPlace, Source } from './place.ts';

/** SHA-256 of nothing. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const REMOVE_MS = 30_000;
/** Bytes of an error that are read for its code. */
const ERROR_MOST = 16_384;

interface Asked {
  method: 'PUT' | 'GET' | 'HEAD' | 'DELETE';
  name: string;
  source?: Source;
}

export function openS3(shell: DialShell, place: S3Place, secret: string, signal: AbortSignal): OpenPlace {
  const ask = (asked: Asked) => answered(shell, place, secret, signal, asked);
  return {
    async write(name, source) {
      await emptied(await ask({ method: 'PUT', name, source }));
    },
    async *read(name) {
      const answer = await ask({ method: 'GET', name });
      try {
        for await (const piece of answer) yield piece as Buffer;
      } catch (error) {
        signal.throwIfAborted();
        throw connectionFault(error, serverOf(place), 'answer');
      }
    },
    async size(name) {
      const answer = await ask({ method: 'HEAD', name });
      answer.resume();
      return Number(answer.headers['content-length'] ?? Number.NaN);
    },
    // S3 answers 204 for what is not there as well. Also for a job that was stopped: what it put there goes.
    async remove(name) {
      const bounded = AbortSignal.timeout(REMOVE_MS);
      await emptied(await answered(shell, place, secret, bounded, { method: 'DELETE', name }));
    },
    close: async () => undefined,
  };
}

const serverOf = ({ endpoint }: S3Place): Server => {
  const { hostname, port } = new URL(endpoint);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 443 };
};

/** `https://s3.lab.example/bucket/prefix/name`, or with the bucket before the host name. */
export function objectUrl({ endpoint, bucket, prefix, path_style }: S3Place, name: string): URL {
  const url = new URL(endpoint);
  if (!path_style) url.hostname = `${bucket}.${url.hostname}`;
  const parts = [...(path_style ? [bucket] : []), ...prefix.split('/'), name].filter(Boolean);
  url.pathname = `/${parts.map(encodeURIComponent).join('/')}`;
  return url;
}

async function answered(
  shell: DialShell,
  place: S3Place,
  secretAccessKey: string,
  signal: AbortSignal,
  { method, name, source }: Asked,
): Promise<IncomingMessage> {
  const url = objectUrl(place, name);
  const server = { ...serverOf(place), host: url.hostname.replace(/^\[|\]$/g, '') };
  const { address, family } = await dialled(shell, server);
  // The digest is signed: a service that checks it refuses bytes that changed on the way.
  const given = { 'x-amz-content-sha256': source?.sha256 ?? EMPTY };
  const { access_key_id: accessKeyId, region } = place;
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: given,
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
  });
  const { headers } = await signer.sign();
  const request = httpsRequest(url, {
    method,
    signal,
    agent: false,
    headers: { ...Object.fromEntries(headers), ...(source && { 'content-length': source.size_bytes }) },
    lookup: (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family)),
    ...(!isIP(server.host) && { servername: server.host }),
    ...(place.ca_certificate !== '' && { ca: place.ca_certificate }),
    minVersion: 'TLSv1.2',
  });
  request.setTimeout(SILENT_MS, () => request.destroy(tooLate(server, 'answer', SILENT_MS)));
  const response = Promise.withResolvers<IncomingMessage>();
  response.promise.catch(() => undefined);
  request.on('response', response.resolve).on('error', (error) => response.reject(error));
  try {
    // A refusal may come before everything is sent; then it is what counts.
    const sent = pipeline(source ? Readable.from(source.bytes()) : Readable.from([]), request);
    const answer = await Promise.race([response.promise, sent.then(() => response.promise)]);
    sent.catch(() => undefined);
    if (answer.statusCode !== undefined && answer.statusCode < 300) return answer;
    throw await refusal(answer, place, server);
  } catch (error) {
    signal.throwIfAborted();
    throw untrusted(error, server) ?? connectionFault(error, server, 'answer');
  }
}

async function emptied(answer: IncomingMessage): Promise<void> {
  for await (const _piece of answer);
}

/** A certificate that no known authority signed, or of another name. */
function untrusted(error: unknown, server: Server): Problem | null {
  const { code = '' } = error as { code?: string };
  if (!/^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return null;
  return new Problem(
    'remote_answer_unusable',
    `The certificate of ${serverText(server)} is not trusted (${code}). Enter the certificate of its authority, or correct the name. Nothing was sent to it.`,
  );
}

const SAID: Readonly<Record<string, string>> = {
  AccessDenied: 'the access key may not do that there',
  InvalidAccessKeyId: 'the access key is not known',
  SignatureDoesNotMatch: 'the secret of the access key is another one, or the region is',
  RequestTimeTooSkewed: 'the clocks of the two machines differ too much',
  NoSuchBucket: 'there is no such bucket',
  NoSuchKey: 'the object is not there',
  EntityTooLarge: 'the object is too large',
  QuotaExceeded: 'there is no room',
  XMinioStorageFull: 'there is no room',
  PermanentRedirect: 'the bucket is in another region',
};

async function refusal(answer: IncomingMessage, { bucket }: S3Place, server: Server): Promise<Problem> {
  let text = '';
  for await (const piece of answer) {
    text += String(piece);
    if (text.length > ERROR_MOST) break;
  }
  const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
  const said = SAID[code] ?? `it answered ${answer.statusCode}${code === '' ? '' : ` ${code}`}`;
  const login = ['InvalidAccessKeyId', 'SignatureDoesNotMatch'].includes(code);
  return new Problem(
    login ? 'remote_login_refused' : 'remote_refused',
    `${serverText(server)} refused it in the bucket ${bucket}: ${said}.`,
  );
}
