// What the unit writes beside its manifest, and the running listeners read.
import { keyPath } from '../../platform/host/key-files.ts';

export const CERTIFICATE_FILE = '/etc/groundcrew/oidc/certificate.pem';
export const KEY_NAME = 'oidc';
export const KEY_FILE = keyPath(KEY_NAME);
