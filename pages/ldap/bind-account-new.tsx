// Adding a bind account.
import { newItemPage } from '../units/item-pages.tsx';
import { ACCOUNT_PAGES } from './account-pages.tsx';

export const page = newItemPage(ACCOUNT_PAGES);
