// Schemas that uploads in pieces share.
import * as v from 'valibot';

export const offsetSchema = (noun: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, 'Expected a number of bytes.'),
    v.description(`Bytes of the ${noun} before this piece.`),
  );

export const sha256Schema = (description: string) =>
  v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Expected 64 hexadecimal digits.'), v.description(description));
