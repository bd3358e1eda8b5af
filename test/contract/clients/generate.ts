// Makes both clients of a document: `generate.ts <document> <folder>`. A program of its own because the generators need
// TypeScript's API in JavaScript, which only versions before 7 have: `typescript` means `typescript-5` here and nowhere else.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

const [document = '', folder = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const { default: openapiTS, astToString } = await import('openapi-typescript');
const source = JSON.parse(readFileSync(document, 'utf8')) as Parameters<typeof openapiTS>[0];
writeFileSync(join(folder, 'schema.ts'), astToString(await openapiTS(source)));

const { createClient } = await import('@hey-api/openapi-ts');
await createClient({
  input: document,
  output: { path: join(folder, 'sdk'), module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch'],
  logs: { level: 'error' },
});
