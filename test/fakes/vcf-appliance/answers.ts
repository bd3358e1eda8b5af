// What the fake appliance answers with: JSON, errors in the vendor's shape, pages of a web server that has no API behind it.
import { randomUUID } from 'node:crypto';

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Before it is answered. */
  delay_ms?: number;
  /** The connection is cut after the headers and half of the body. */
  cut?: boolean;
  /** Nothing is ever answered. */
  stall?: boolean;
}

/** One request as a route sees it. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  /** As it came. */
  text: string;
  /** Parsed, or undefined. */
  json: unknown;
}

export const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

export interface VendorError {
  errorCode: string;
  message: string;
  remediationMessage?: string;
  arguments?: string[];
  causes?: { type: string; message: string }[];
  nestedErrors?: object[];
}

/** In the vendor's shape; unset members are left out, as there. */
export const vendorError = (status: number, error: VendorError): Answer =>
  json(status, { errorType: 'ERROR', referenceToken: referenceToken(), ...error });

/** Six upper-case letters and digits, by which logs are searched. */
const referenceToken = (): string => randomUUID().replaceAll('-', '').slice(0, 6).toUpperCase();

export const html = (status: number, title: string): Answer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
});

export const noContent = (): Answer => ({ status: 204 });

/**
 * A page of a list. Size 0 is everything, unless the appliance cuts at `cap`.
 * Uncertain: the number of the first page (0 in the vendor's examples), and what size 0 does on every release.
 */
export function paged(rows: readonly unknown[], query: URLSearchParams, cap: number | null, first = 0): Answer {
  const asked = Number(query.get('pageSize') ?? 0) || rows.length || 1;
  const size = Math.min(asked, cap ?? asked);
  const at = Math.max(0, Number(query.get('pageNumber') ?? first) - first);
  return json(200, {
    elements: rows.slice(at * size, (at + 1) * size),
    pageMetadata: {
      pageNumber: at + first,
      pageSize: size,
      totalElements: rows.length,
      totalPages: Math.ceil(rows.length / size),
    },
  });
}
