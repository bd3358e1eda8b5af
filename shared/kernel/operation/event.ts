// The gateway event (API Gateway HTTP API, payload format 2.0) as far as the appliance uses it, and the answer to it.
import type { Constant } from './constant.ts';

/** Where a connection arrived, and for how long it had been open when the request came, milliseconds. */
export interface Connection {
  local_address: string;
  local_port?: number;
  open_ms: number;
}

export interface GatewayEvent {
  version: '2.0';
  routeKey: string;
  rawPath: string;
  rawQueryString: string;
  /** Names in lower case; repeated headers joined with a comma. */
  headers: Record<string, string>;
  cookies: string[];
  queryStringParameters: Record<string, string>;
  pathParameters: Record<string, string>;
  requestContext: {
    http: { method: string; path: string; sourceIp: string; protocol: string; userAgent: string };
    requestId: string;
    /** True when the listener ended TLS. */
    secure: boolean;
    /** The client's connection, where our own listener accepted it. */
    connection?: Connection;
  };
  body: string | null;
  isBase64Encoded: boolean;
  /** Instead of `body`, where our own listener has not read it yet. A gateway sends the whole body. */
  incoming?: IncomingBody;
}

/** A body that is not read before its sender is known. Copies of an event share it. */
export interface IncomingBody {
  /**
   * Reads the body, once; empty when there is none.
   * @throws Problem 413 when its declared or actual length exceeds `most` bytes; 400 when it ends too early.
   */
  read(most: number): Promise<Buffer>;
  /** The bytes read so far; null before the first. */
  readonly taken: Buffer | null;
}

/** The body as text, as far as it was read. */
export function textOf({ body, isBase64Encoded, incoming }: GatewayEvent): string {
  if (incoming) return incoming.taken?.toString('utf8') ?? '';
  return isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString('utf8') : (body ?? '');
}

export interface GatewayAnswer {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body: string;
  /** The body is bytes, in base64. */
  isBase64Encoded?: true;
  /** Our own listener may send it compressed (`compressible.ts`). */
  compress?: true;
  /** Instead of `body`, which is empty: our own listener sends each part when the one before it has left. */
  parts?: AsyncIterable<string>;
  /** The constant whose text is in `body`: our own listener sends it compressed. */
  constant?: Constant;
}

/** The answer with a whole body, for whoever can't send it in parts. */
export async function whole({ parts, ...answer }: GatewayAnswer): Promise<GatewayAnswer> {
  if (!parts) return answer;
  const texts: string[] = [];
  for await (const part of parts) texts.push(part);
  return { ...answer, body: texts.join('') };
}
