// Asks before an organization is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { ORGANIZATION_PAGES } from './organization-pages.tsx';

export const page = deleteItemPage(ORGANIZATION_PAGES);
