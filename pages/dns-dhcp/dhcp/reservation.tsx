// One reservation: changing it.
import { itemPage } from '../../units/item-pages.tsx';
import { RESERVATION_PAGES } from './reservation-pages.tsx';

export const page = itemPage(RESERVATION_PAGES);
