/** Maps the commands that clients here use to their v2 addresses and parameter names. */
import type { Params } from './client.ts'

/** v2 address and parameter names of each command whose address is not game/<name>. */
const V2: Record<string, { at: string; names?: Record<string, string> }> = {
  register: { at: 'game_auth/register' },
  login: { at: 'game_auth/login' },
  logout: { at: 'game_auth/logout' },
  claim: { at: 'game_auth/claim' },
  login_token: { at: 'game_auth/login_token' },
  login_link: { at: 'game_auth/login_link' },
  login_link_poll: { at: 'game_auth/login_link_poll' },
  chat: { at: 'game_social/chat', names: { channel: 'target' } },
  get_chat_history: {
    at: 'game_social/get_chat_history',
    names: { channel: 'target' },
  },
  captains_log_add: {
    at: 'game_social/captains_log_add',
    names: { entry: 'content' },
  },
  captains_log_list: { at: 'game_social/captains_log_list' },
  captains_log_get: { at: 'game_social/captains_log_get' },
  captains_log_delete: { at: 'game_social/captains_log_delete' },
  set_status: {
    at: 'game_social/set_status',
    names: { status_message: 'content' },
  },
  set_colors: { at: 'game_social/set_colors' },
  mute_notifications: { at: 'game_social/mute_notifications' },
  unmute_notifications: { at: 'game_social/unmute_notifications' },
  get_notification_settings: { at: 'game_social/get_notification_settings' },
  travel: { at: 'game/travel', names: { target_poi: 'id' } },
  jump: { at: 'game/jump', names: { target_system: 'id' } },
  find_route: { at: 'game/find_route', names: { target_system: 'id' } },
  search_systems: { at: 'game/search_systems', names: { query: 'text' } },
  buy: { at: 'game/buy', names: { item_id: 'id' } },
  sell: { at: 'game/sell', names: { item_id: 'id' } },
  jettison: { at: 'game/jettison', names: { item_id: 'id' } },
  view_market: { at: 'game_market/view_market' },
  subscribe_market: { at: 'game_market/subscribe_market' },
  unsubscribe_market: { at: 'game_market/unsubscribe_market' },
  estimate_purchase: { at: 'game_market/estimate_purchase' },
  deposit_items: { at: 'game_storage/deposit' },
  withdraw_items: { at: 'game_storage/withdraw' },
  view_storage: { at: 'game_storage/view' },
  catalog: { at: 'game_catalog/' },
  create_buy_order: { at: 'game_market/create_buy_order' },
  create_sell_order: { at: 'game_market/create_sell_order' },
  modify_order: { at: 'game_market/modify_order', names: { new_price: 'price_each' } },
  cancel_order: { at: 'game_market/cancel_order' },
  view_orders: { at: 'game_market/view_orders' },
  attack: { at: 'game/attack', names: { target_id: 'id' } },
  reload: {
    at: 'game_battle/reload',
    names: { weapon_instance_id: 'id', ammo_item_id: 'target' },
  },
  get_battle_status: { at: 'game_battle/status' },
  'battle stance': { at: 'game_battle/stance', names: { stance: 'id' } },
  'battle target': { at: 'game_battle/target', names: { target_id: 'id' } },
  'battle engage': { at: 'game_battle/engage' },
  'battle advance': { at: 'game_battle/advance' },
  'battle retreat': { at: 'game_battle/retreat' },
}

/** Returns the key of a command in V2: with its action, if that is part of the v2 address. */
const keyOf = (command: string, { action }: Params): string =>
  command === 'battle' ? `battle ${action}` : command

/** Returns the v2 tool and action of a v1 command. */
export function addressOf(command: string, params: Params = {}): { tool: string; action: string } {
  const [tool, action] = (V2[keyOf(command, params)]?.at ?? `game/${command}`).split('/')
  return { tool, action }
}

/** Returns the parameters of a v1 command under their v2 names. */
export function renamed(command: string, params: Params): Params {
  const key = keyOf(command, params)
  const names = V2[key]?.names ?? {}
  return Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => key === command || name !== 'action')
      .map(([name, value]) => [names[name] ?? name, value]),
  )
}
