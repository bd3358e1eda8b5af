// Words that the pages of the offline depot share: where they are, and the labels of a depot user.
import { pagePath } from '../../shared/ground/page-paths.ts';

export const DEPOT = { href: pagePath('offline-depot'), label: 'Offline depot' };
export const USER_LABELS = { name: 'Name', password: 'Password' };

export const userHref = (id: string): string => `${DEPOT.href}/users/${encodeURIComponent(id)}`;
