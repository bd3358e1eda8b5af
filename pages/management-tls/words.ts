// What the pages of the management UI's certificate share.
import { pagePath } from '../../shared/ground/page-paths.ts';

export const MANAGEMENT_TLS = { href: pagePath('management-tls'), label: 'Management TLS' };
