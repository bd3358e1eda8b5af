// Asks before an option is deleted.
import { deleteItemPage } from '../../units/item-pages.tsx';
import { OPTION_PAGES } from './option-pages.tsx';

export const page = deleteItemPage(OPTION_PAGES);
