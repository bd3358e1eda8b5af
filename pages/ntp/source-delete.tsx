// Asks before a time source is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { SOURCE_PAGES } from './source-pages.tsx';

export const page = deleteItemPage(SOURCE_PAGES);
