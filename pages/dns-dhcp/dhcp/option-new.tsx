// Adding an option.
import { newItemPage } from '../../units/item-pages.tsx';
import { OPTION_PAGES } from './option-pages.tsx';

export const page = newItemPage(OPTION_PAGES);
