// A client that lives in a network namespace and does what it is told, one JSON line in, one out: a process of its own,
// because a running one can't enter a namespace, and only one, because starting one for each request takes too long.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

export interface Asked {
  id: number;
  /** `http`: one request; `reach`: tries to connect until somebody answers, or refuses, within `limit` milliseconds. */
  what: 'http' | 'reach';
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Over the connection of the request before, where it still stands. */
  kept?: boolean;
  limit: number;
}

export interface Said {
  id: number;
  status?: number;
  headers?: Record<string, string | string[] | undefined>;
  text?: string;
  /** Milliseconds until it was reached. */
  reached?: number | null;
  error?: string;
}

const keeping = new Agent({ keepAlive: true, maxSockets: 1 });

function http(asked: Asked): Promise<Omit<Said, 'id'>> {
  const { url, method = 'GET', headers = {}, body, kept, limit } = asked;
  return new Promise((resolve) => {
    const sent = request(url, { method, headers, agent: kept ? keeping : new Agent(), timeout: limit }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on('error', (error) => resolve({ error: error.message }));
    });
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', (error) => resolve({ error: error.message }));
    sent.end(body);
  });
}

/** Somebody there answers or refuses: the packets find their way there and back. */
function knocks(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 150 });
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED'));
  });
}

async function reach({ url, limit }: Asked): Promise<Omit<Said, 'id'>> {
  const { hostname, port } = new URL(url);
  const began = performance.now();
  while (performance.now() - began < limit) {
    if (await knocks(hostname, Number(port))) return { reached: performance.now() - began };
    await new Promise((done) => setTimeout(done, 20));
  }
  return { reached: null };
}

if (process.argv[2] === 'serve') {
  for await (const line of createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line) as Asked;
    const said = await (asked.what === 'http' ? http(asked) : reach(asked));
    process.stdout.write(`${JSON.stringify({ id: asked.id, ...said })}\n`);
  }
}
