/** Wire forms of gifts. Source: contract, StorageGift; trade-storage.md section 3. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { isoTime } from '../../core/time.ts'
import type { WorldView } from '../../core/types.ts'
import { shipById } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { kindOfId } from './model.ts'
import { type Gift, type GiftShip, isPackageId } from './state.ts'

const renderItems = (items: Gift['items']) =>
  items.map(([id, quantity]) => ({
    item_id: id,
    name: isPackageId(id) ? kindOfId(id) : GOODS[itemIndex(id)].name,
    quantity,
  }))

/** Renders a ship that was given, with the name it bears now. */
function renderShip(view: WorldView, ship: GiftShip) {
  const row = shipById(view, ship.ship_id)
  const name = row === 0 ? '' : view.texts.get(view.read(Ship).name[row])
  return name === '' ? { ...ship } : { ...ship, custom_name: name }
}

/** Renders a gift without its empty fields. */
export function renderGift(view: WorldView, gift: Gift) {
  const { sender, senderId, ms, items, credits, ships, message } = gift
  return {
    sender,
    sender_id: senderId,
    timestamp: isoTime(ms),
    ...(items.length === 0 ? {} : { items: renderItems(items) }),
    ...(credits === 0 ? {} : { credits }),
    ...(ships.length === 0 ? {} : { ships: ships.map((ship) => renderShip(view, ship)) }),
    ...(message === '' ? {} : { message }),
  }
}
