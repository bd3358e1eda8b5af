// The OpenAPI document of the whole program, as text.
import { TAGS } from '../../shared/appliance/tags.ts';
import { openApiDocument } from '../../shared/kernel/operation/openapi.ts';
import { operations } from '../generated/operations.ts';
import { VERSION } from '../version.ts';

export function openApiText(base_url: string): string {
  return `${JSON.stringify(openApiDocument(operations, { base_url, version: VERSION, tags: TAGS }), null, 2)}\n`;
}
