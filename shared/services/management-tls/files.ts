// What the unit writes, and the running service reads.
import { keyPath } from '../../platform/host/key-files.ts';

export const CERTIFICATE_FILE = '/etc/groundcrew/management-tls/certificate.pem';
export const KEY_NAME = 'management-tls';
export const KEY_FILE = keyPath(KEY_NAME);
