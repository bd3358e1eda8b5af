// From desired state to certificate and key, which the running service follows.
import type { RenderedFile } from '../../ground/machine/host.ts';
import { certificateFiles } from '../../platform/certificate-authority/daemon-certificate.ts';
import type { ManagementTlsDesired } from './desired.ts';
import { CERTIFICATE_FILE, KEY_NAME } from './files.ts';

/** None while the service keeps its own. */
export const render = ({ certificate }: ManagementTlsDesired): RenderedFile[] =>
  certificate ? certificateFiles(KEY_NAME, CERTIFICATE_FILE, certificate) : [];
