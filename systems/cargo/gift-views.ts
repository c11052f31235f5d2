/** Wire forms of gifts. Source: contract, StorageGift; trade-storage.md section 3. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { isoTime } from '../../core/time.ts'
import { kindOfId } from './model.ts'
import { type Gift, isPackageId } from './state.ts'

const renderItems = (items: Gift['items']) =>
  items.map(([id, quantity]) => ({
    item_id: id,
    name: isPackageId(id) ? kindOfId(id) : GOODS[itemIndex(id)].name,
    quantity,
  }))

/** Renders a gift without its empty fields. */
export const renderGift = ({ sender, senderId, ms, items, credits, ships, message }: Gift) => ({
  sender,
  sender_id: senderId,
  timestamp: isoTime(ms),
  ...(items.length === 0 ? {} : { items: renderItems(items) }),
  ...(credits === 0 ? {} : { credits }),
  ...(ships.length === 0 ? {} : { ships: ships.map((ship) => ({ ...ship })) }),
  ...(message === '' ? {} : { message }),
})
