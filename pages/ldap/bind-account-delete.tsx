// Asks before a bind account is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { ACCOUNT_PAGES } from './account-pages.tsx';

export const page = deleteItemPage(ACCOUNT_PAGES);
