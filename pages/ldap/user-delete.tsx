// Asks before a directory user is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { USER_PAGES } from './user-pages.tsx';

export const page = deleteItemPage(USER_PAGES);
