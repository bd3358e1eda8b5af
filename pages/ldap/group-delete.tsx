// Asks before a directory group is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { GROUP_PAGES } from './group-pages.tsx';

export const page = deleteItemPage(GROUP_PAGES);
