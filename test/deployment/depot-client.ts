// Requests to a depot exactly as they are written: over a connection of its own each, by no client that tidies them up.
import { connect } from 'node:tls';

export interface Answer {
  status: number;
  headers: Map<string, string>;
  body: Buffer;
  /** SHA-256 of the certificate that was shown, `AA:BB:…`. */
  shown: string;
}

export interface Place {
  port: number;
  /** The only root that is trusted. */
  ca_pem: string;
  /** Address of this side; another one is another client. */
  from?: string;
}

export const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(login).toString('base64')}` });

export function ask(
  { port, ca_pem, from }: Place,
  method: string,
  target: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: 'depot.lab.example',
      ca: ca_pem,
      ...(from !== undefined && { localAddress: from }),
    });
    const chunks: Buffer[] = [];
    let shown = '';
    const lines = Object.entries({ host: 'depot.lab.example', connection: 'close', ...headers });
    const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`${method} ${target} HTTP/1.1\r\n${text}\r\n`);
    socket.on('secureConnect', () => {
      shown = socket.getPeerCertificate().fingerprint256;
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.setTimeout(60_000, () => socket.destroy(new Error(`no answer to ${method} ${target}`)));
    socket.on('close', () => resolve({ ...read(Buffer.concat(chunks)), shown }));
  });
}

function read(all: Buffer): Omit<Answer, 'shown'> {
  const cut = all.indexOf('\r\n\r\n');
  const [first = '', ...lines] = all.subarray(0, Math.max(0, cut)).toString('latin1').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), body: all.subarray(cut + 4) };
}
