// Certificates as PKCS #7 (RFC 5652): signed data that nobody signed, which carries them.
import 'reflect-metadata';
import { X509Certificate, X509Certificates } from '@peculiar/x509';

export const pkcs7 = (pems: readonly string[]): Buffer =>
  Buffer.from(new X509Certificates(pems.map((pem) => new X509Certificate(pem))).export('raw'));
