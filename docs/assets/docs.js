/** Opens the contents on wide screens, and hides the entries without the words of the search. */
const toc = document.querySelector('.toc')
const roomy = matchMedia('(min-width: 64.01rem)')
const fit = () => {
  if (toc) toc.open = roomy.matches
}
fit()
roomy.addEventListener('change', fit)
const find = document.getElementById('find')
if (find) {
  const entryOf = (link) => {
    const target = document.getElementById(link.hash.slice(1))
    return target.closest('tr') ?? target.closest('section')
  }
  const textOf = (entry) => {
    if (entry.matches('tr')) return entry.textContent
    const [head, first] = entry.children
    return `${head.textContent} ${first?.textContent ?? ''}`
  }
  const entries = [...document.querySelectorAll('.toc li a')].map((link) => {
    const entry = entryOf(link)
    const isGroup = entry.matches('section') && entry.children.length === 1
    return { item: link.parentElement, entry, isGroup, text: textOf(entry).toLowerCase() }
  })
  find.addEventListener('input', () => {
    const words = find.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    let found = 0
    for (const { item, entry, isGroup, text } of entries) {
      const isShown = words.length === 0 || (!isGroup && words.every((word) => text.includes(word)))
      item.hidden = !isShown
      entry.hidden = !isShown
      found += isShown ? 1 : 0
    }
    document.getElementById('none').hidden = found > 0
  })
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1))
    if (!target?.closest('[hidden]')) return
    find.value = ''
    find.dispatchEvent(new Event('input'))
    target.scrollIntoView()
  })
}

/** Shows the sections of a group as tabs; without this script they are listed one below another. */
const remembered = () => {
  try {
    return localStorage.getItem('example')
  } catch {
    return null
  }
}
const remember = (title) => {
  try {
    localStorage.setItem('example', title)
  } catch {
    // Without storage the first tab is shown on every page.
  }
}
for (const group of document.querySelectorAll('.tabs')) {
  const panels = [...group.querySelectorAll('.tab')]
  const list = document.createElement('div')
  list.className = 'tablist'
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Examples')
  const tabs = panels.map((panel) => {
    const tab = document.createElement('button')
    const heading = panel.querySelector('h3')
    tab.type = 'button'
    tab.id = `tab-${panel.id}`
    tab.textContent = heading.textContent
    tab.setAttribute('role', 'tab')
    tab.setAttribute('aria-controls', panel.id)
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    heading.hidden = true
    return tab
  })
  const select = (chosen) => {
    for (const [at, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(at === chosen))
      tab.tabIndex = at === chosen ? 0 : -1
      panels[at].hidden = at !== chosen
    }
  }
  list.addEventListener('click', ({ target }) => {
    const at = tabs.indexOf(target)
    if (at < 0) return
    select(at)
    remember(target.textContent)
  })
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(event.target)
    const last = tabs.length - 1
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key]
    if (at < 0 || next === undefined) return
    event.preventDefault()
    const chosen = tabs[(next + tabs.length) % tabs.length]
    chosen.focus()
    chosen.click()
  })
  list.append(...tabs)
  group.prepend(list)
  select(
    Math.max(
      0,
      tabs.findIndex(({ textContent }) => textContent === remembered()),
    ),
  )
}

// Browsers offer the clipboard only in a secure context: over https, or on this machine.
for (const block of navigator.clipboard ? document.querySelectorAll('main pre') : []) {
  const button = document.createElement('button')
  const frame = document.createElement('div')
  const label = (text) => {
    button.textContent = text
  }
  button.type = 'button'
  frame.className = 'block'
  label('Copy')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent).then(
      () => label('Copied'),
      () => label('Not copied'),
    )
    setTimeout(label, 2000, 'Copy')
  })
  block.replaceWith(frame)
  frame.append(block, button)
}
