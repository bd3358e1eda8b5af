// The OpenAPI document of the whole program, as text.
import { openApiDocument } from '../../shared/kernel/operation/openapi.ts';
import { operations } from '../generated/operations.ts';
import { VERSION } from '../version.ts';

export function openApiText(base_url: string): string {
  return `${JSON.stringify(openApiDocument(operations, { base_url, version: VERSION }), null, 2)}\n`;
}
