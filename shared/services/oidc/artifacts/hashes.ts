// How ids of artifacts, sessions and people are hashed: who reads the file can use none of them.
import { createHash } from 'node:crypto';

export const hashed = (kind: string, id: string): string =>
  createHash('sha256').update(`${kind}\0${id}`).digest('base64url');

export const hashedOrNull = (kind: string, id: unknown): string | null =>
  typeof id === 'string' ? hashed(kind, id) : null;
