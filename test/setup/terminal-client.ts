// A terminal's page without a browser: a WebSocket that keeps what it is told.
import WebSocket from 'ws';
import { SUBPROTOCOL } from '../../shared/services/web-terminal/session/limits.ts';
import type { ToPage } from '../../shared/services/web-terminal/session/messages.ts';
import { until } from './until.ts';

export interface TerminalClient {
  ws: WebSocket;
  said: ToPage[];
  /** Bytes that were printed. */
  printed: number;
  text: string;
  /** The close code; 0 while it is open. */
  code: number;
  tell(message: unknown): void;
  /** The first message of this type that was not awaited yet. */
  next<T extends ToPage['type']>(type: T): Promise<Extract<ToPage, { type: T }>>;
  closed(): Promise<number>;
}

export interface Asking {
  headers?: Record<string, string>;
  protocols?: string[];
  /** Acknowledges what is printed, as a page does. */
  draws?: boolean;
  rejectUnauthorized?: false;
  localAddress?: string;
}

/** Resolves with the status of the refusal, or with the open terminal. */
export function openTerminal(url: string, asking: Asking = {}): Promise<number | TerminalClient> {
  const { protocols = [SUBPROTOCOL], draws = true, ...options } = asking;
  const ws = new WebSocket(url, protocols, { ...options, perMessageDeflate: false });
  const said: ToPage[] = [];
  const client: TerminalClient = {
    ...{ ws, said, printed: 0, text: '', code: 0 },
    tell: (message) => ws.send(JSON.stringify(message)),
    async next(type) {
      await until(async () => said.some((each) => each.type === type));
      const at = said.findIndex((each) => each.type === type);
      return said.splice(at, 1)[0] as never;
    },
    async closed() {
      await until(async () => client.code !== 0);
      return client.code;
    },
  };
  ws.on('message', (data: Buffer, binary: boolean) => {
    if (!binary) return void said.push(JSON.parse(data.toString()));
    client.printed += data.length;
    client.text = (client.text + data.toString('latin1')).slice(-4096);
    if (draws) client.tell({ type: 'drawn', bytes: data.length });
  });
  return new Promise((resolve, reject) => {
    ws.on('open', () => resolve(client));
    ws.on('close', (code) => (client.code = code));
    ws.on('error', (error) => (client.code === 0 && ws.readyState !== WebSocket.OPEN ? reject(error) : undefined));
    ws.on('unexpected-response', (request, response) => {
      response.resume();
      request.destroy();
      resolve(response.statusCode!);
    });
  });
}
