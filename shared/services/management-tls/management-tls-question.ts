// A separate program: makes a handshake with the management listener at each place and prints the fingerprints as JSON. It
// runs where the service answers. Argument: ShownQuestions as JSON.
import { connect } from 'node:tls';

export interface ShownQuestions {
  addresses: string[];
  port: number;
}

export interface Shown {
  /** `AA:BB:…`; null where nothing answers. */
  sha256: string | null;
  /** Why there is no answer, in a clause. */
  error: string | null;
}

const WAIT_MS = 3_000;

export function askShown(host: string, port: number): Promise<Shown> {
  return new Promise((resolve) => {
    // Whatever is shown is told: it is compared, not trusted.
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: WAIT_MS }, () => {
      resolve({ sha256: socket.getPeerX509Certificate()?.fingerprint256 ?? null, error: null });
      socket.destroy();
    });
    socket.on('timeout', () => socket.destroy(new Error('no answer in time')));
    socket.on('error', ({ message }) => resolve({ sha256: null, error: message }));
    socket.on('close', () => resolve({ sha256: null, error: 'the connection was closed' }));
  });
}

if (import.meta.main) {
  const { addresses, port } = JSON.parse(process.argv[2] ?? '') as ShownQuestions;
  process.stdout.write(`${JSON.stringify(await Promise.all(addresses.map((each) => askShown(each, port))))}\n`);
}
