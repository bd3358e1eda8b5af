// A separate program: asks KMIP servers what they are, each at its address, over TLS with a client certificate, and prints the
// answers as JSON. It runs where the service answers. Argument: KmsQuestions as JSON.
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { decode, encode, type Item, messageLength, TtlvFault } from './protocol/ttlv.ts';

export interface KmsQuestions {
  listeners: { address: string; port: number }[];
  /** Name that the certificate has to have; empty: the address. */
  hostname: string;
  /** File with the certificate and the key of the client, as PEM. */
  client: string;
  /** The only root that is trusted. */
  ca_pem: string;
}

export interface KmsAnswer {
  vendor: string | null;
  /** Why there is no answer, in a clause. */
  error: string | null;
  /** Of the certificate that was shown, `AA:BB:…`. */
  sha256?: string | null;
}

const WAIT_MS = 3_000;
const VENDOR = 0x42009d;
const RESPONSE = 0x42007b;

const structure = (tag: number, ...value: Item[]): Item => ({ tag, type: 1, value });
/** Query for the server's information (OASIS KMIP Specification 1.4, section 4.25), in version 1.1. */
const QUERY = encode(
  structure(
    0x420078,
    structure(
      0x420077,
      structure(0x420069, { tag: 0x42006a, type: 2, value: 1 }, { tag: 0x42006b, type: 2, value: 1 }),
      { tag: 0x42000d, type: 2, value: 1 },
    ),
    structure(
      0x42000f,
      { tag: 0x42005c, type: 5, value: 0x18 },
      structure(0x420079, { tag: 0x420074, type: 5, value: 3 }),
    ),
  ),
);

function vendorIn(item: Item): string | null {
  if (item.tag === VENDOR && item.type === 7) return item.value;
  if (item.type !== 1) return null;
  for (const each of item.value) {
    const found = vendorIn(each);
    if (found !== null) return found;
  }
  return null;
}

export function askKms(
  { address, port }: KmsQuestions['listeners'][number],
  { hostname, ca_pem, pem }: { hostname: string; ca_pem: string; pem: string },
): Promise<KmsAnswer> {
  return new Promise((resolve) => {
    const socket = connect({
      host: address,
      port,
      ca: ca_pem,
      cert: pem,
      key: pem,
      ...(hostname !== '' && { servername: hostname }),
    });
    const end = (answer: KmsAnswer) => {
      socket.destroy();
      resolve(answer);
    };
    let read = Buffer.alloc(0);
    socket.setTimeout(WAIT_MS, () => end({ vendor: null, error: 'no answer in time' }));
    socket.on('secureConnect', () => socket.write(QUERY));
    socket.on('error', ({ message }) => end({ vendor: null, error: message }));
    socket.on('close', () => end({ vendor: null, error: 'the connection was closed' }));
    socket.on('data', (bytes: Buffer) => {
      read = Buffer.concat([read, bytes]);
      try {
        const length = messageLength(read, RESPONSE);
        if (length === null || read.length < length) return;
        const vendor = vendorIn(decode(read.subarray(0, length)));
        const sha256 = socket.getPeerX509Certificate()?.fingerprint256 ?? null;
        end({ vendor, error: 'it does not say what it is', sha256 });
      } catch (error) {
        if (!(error instanceof TtlvFault)) throw error;
        end({ vendor: null, error: 'what came back is no KMIP' });
      }
    });
  });
}

if (import.meta.main) {
  const { listeners, client, ...how } = JSON.parse(process.argv[2] ?? '') as KmsQuestions;
  // Until the listener has written it there is none.
  const pem = await readFile(client, 'utf8').catch(() => null);
  const none: KmsAnswer = { vendor: null, error: 'the server has made no certificate for its probe yet' };
  const answers = await Promise.all(listeners.map((each) => (pem === null ? none : askKms(each, { ...how, pem }))));
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
