// Adding a directory user.
import { newItemPage } from '../units/item-pages.tsx';
import { USER_PAGES } from './user-pages.tsx';

export const page = newItemPage(USER_PAGES);
