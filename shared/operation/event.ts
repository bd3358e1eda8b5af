// The gateway event (API Gateway HTTP API, payload format 2.0) as far as this house uses it, and the answer to it.
import type { Constant } from './constant.ts';

/** Where a connection arrived, and for how long it had been open when the request came, milliseconds. */
export interface Connection {
  local_address: string;
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
    /** The client's connection, where the house's own listener took it. */
    connection?: Connection;
  };
  body: string | null;
  isBase64Encoded: boolean;
  /** Instead of `body`: bytes as the house's own listener read them. From a gateway they come in base64. */
  bytes?: Buffer;
}

export interface GatewayAnswer {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body: string;
  /** What `body` is the text of: the house's own listener sends it compressed. */
  constant?: Constant;
}
