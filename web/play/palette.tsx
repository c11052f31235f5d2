/** The command palette: finds any command by a few letters of its name. Ctrl-K opens it. */
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { PickList, pickId, walk } from '../parts/pick-list.tsx'
import { findCommands } from './console.ts'
import { labelOf } from './next.ts'
import { isPaletteOpen, openForm, operations, recentAddresses } from './store.ts'

const SHOWN_MAX = 60
const LIST = 'commands'

const renderCommand = (address: string) => (
  <>
    <span>
      <b>{labelOf(address)}</b> <code class="muted">{address}</code>
    </span>
    <span class="muted">{operations.value.get(address)?.summary}</span>
  </>
)

/** Handles the close event, which may come after the dialog was opened again. */
const followClose = ({ currentTarget }: { currentTarget: HTMLDialogElement }): void => {
  if (!currentTarget.open) isPaletteOpen.value = false
}

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const query = useSignal('')
  const at = useSignal(0)
  const found = findCommands(operations.value, query.value, recentAddresses.value)
  const shown = found.slice(0, SHOWN_MAX)
  // Opened before the next key press, so that it already goes into the field.
  useLayoutEffect(() => {
    const { current } = dialog
    if (isPaletteOpen.value && !current?.open) {
      query.value = ''
      at.value = 0
      current?.showModal()
    } else if (!isPaletteOpen.value && current?.open) current.close()
  }, [isPaletteOpen.value])
  useEffect(() => {
    document.getElementById(pickId(LIST, at.value))?.scrollIntoView({ block: 'nearest' })
  }, [at.value])
  const choose = (address: string | undefined) => {
    if (address === undefined) return
    // Closed first, since closing returns the focus, which the form then takes.
    dialog.current?.close()
    isPaletteOpen.value = false
    openForm({ address, payload: {} })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') choose(shown[at.value])
    else if (!walk(event, at, shown.length)) return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Commands" onClose={followClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Find a command"
        aria-controls={LIST}
        aria-expanded={true}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? pickId(LIST, at.value) : undefined}
        placeholder={`Find one of ${operations.value.size} commands`}
        autocomplete="off"
        spellcheck={false}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value
          at.value = 0
        }}
        onKeyDown={press}
      />
      <PickList
        id={LIST}
        label="Commands found"
        rows={shown}
        at={at.value}
        keyOf={(address) => address}
        choose={choose}
        press={press}
      >
        {renderCommand}
      </PickList>
      {shown.length === 0 && <p class="empty">No command matches.</p>}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
