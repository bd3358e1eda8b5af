// A separate program: fetches texts from the listeners of the certificate portal and prints the answers as JSON. It runs where
// the service answers. Argument: PortalQuestions as JSON.
import { get } from 'node:http';

export interface PortalQuestions {
  urls: string[];
}

export interface PortalAnswer {
  text: string | null;
  /** Why there is no answer, in a clause. */
  error: string | null;
}

const WAIT_MS = 2_000;
const TEXT_MOST = 64 << 10;

export function askPortal(url: string): Promise<PortalAnswer> {
  return new Promise((resolve) => {
    const failed = (error: string) => resolve({ text: null, error });
    const request = get(url, { timeout: WAIT_MS, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
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

if (import.meta.main) {
  const { urls } = JSON.parse(process.argv[2] ?? '') as PortalQuestions;
  process.stdout.write(`${JSON.stringify(await Promise.all(urls.map(askPortal)))}\n`);
}
