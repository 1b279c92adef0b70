// Leads from an address that the archive had to the page that shows the event or player now.
"use strict";
(() => {
  const kinds = { "events": "event.html?e=", "cards": "event.html?e=", "data/events": "event.html?e=", "players": "player.html?p=" };
  const found = /\/(events|players|cards|data\/events)\/([a-z0-9-]+)\.(html|json|pgn|svg)$/.exec(location.pathname);
  // The base of the page is the archive's folder, if its address is known.
  const [folder] = found ? location.pathname.split(`/${found[1]}/`) : [""];
  if (found) location.replace(`${folder}/${kinds[found[1]]}${found[2]}`);
})();
