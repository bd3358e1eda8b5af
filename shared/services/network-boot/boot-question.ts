// A separate program: sends the requests of a machine that boots, and prints the answers as JSON. It runs where the
// service answers. Argument: BootQuestions as JSON. TFTP: RFC 1350, with the size by RFC 2349.
import { createSocket } from 'node:dgram';
import { get } from 'node:http';

export interface BootQuestions {
  /** URLs of texts to fetch. */
  http: string[];
  tftp: { server: string; file: string }[];
}

export interface BootAnswers {
  http: { text: string | null; error: string | null }[];
  /** `bytes`: size of the file. */
  tftp: { bytes: number | null; error: string | null }[];
}

const WAIT_MS = 1_000;
const TEXT_MOST = 64 << 10;
const TFTP_PORT = 69;
const OPCODE = { read: 1, error: 5, options: 6 } as const;

export function askHttp(url: string): Promise<BootAnswers['http'][number]> {
  return new Promise((resolve) => {
    const failed = (error: string) => resolve({ text: null, error });
    const request = get(url, { timeout: WAIT_MS, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > TEXT_MOST) response.destroy();
      });
      response.on('error', ({ message }) => failed(message));
      response.on('end', () =>
        response.statusCode === 200 ? resolve({ text, error: null }) : failed(`status ${response.statusCode}`),
      );
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', ({ message }) => failed(message));
  });
}

/** Asks for the size of the file, and transfers nothing. */
export function askTftp({ server, file }: BootQuestions['tftp'][number]): Promise<BootAnswers['tftp'][number]> {
  const question = Buffer.concat([
    Buffer.from([0, OPCODE.read]),
    Buffer.from([file, 'octet', 'tsize', '0', ''].join('\0'), 'latin1'),
  ]);
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const done = (bytes: number | null, error: string | null) => {
      clearTimeout(over);
      socket.close();
      resolve({ bytes, error });
    };
    const over = setTimeout(() => done(null, 'no answer in time'), WAIT_MS);
    socket.once('error', ({ message }) => done(null, message));
    socket.once('message', (packet, { port, address }) => {
      const code = packet.readUInt16BE(0);
      // Ends the transfer, which the server would repeat otherwise.
      socket.send(Buffer.from([0, OPCODE.error, 0, 0, 0]), port, address, () => {
        if (code !== OPCODE.options)
          return done(null, code === OPCODE.error ? packet.toString('latin1', 4, packet.length - 1) : 'no size');
        const [, size = ''] = packet.toString('latin1', 2).split('\0');
        done(/^\d+$/.test(size) ? Number(size) : null, /^\d+$/.test(size) ? null : 'no size');
      });
    });
    socket.send(question, TFTP_PORT, server);
  });
}

if (import.meta.main) {
  const { http, tftp } = JSON.parse(process.argv[2] ?? '{"http":[],"tftp":[]}') as BootQuestions;
  const answers: BootAnswers = {
    http: await Promise.all(http.map(askHttp)),
    tftp: await Promise.all(tftp.map(askTftp)),
  };
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
