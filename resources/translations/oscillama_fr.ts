<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Oscillama</source>
        <translation>À propos d’Oscillama</translation>
    </message>
    <message>
        <source>Chat with a language model on your own machine and watch what the machine does while it answers.</source>
        <translation>Discutez avec un modèle de langage sur votre propre machine et observez ce qu’elle fait pendant qu’il répond.</translation>
    </message>
    <message>
        <source>MIT licence. Qt {qt} (LGPL). Icons: Tabler Icons (MIT).</source>
        <translation>Licence MIT. Qt {qt} (LGPL). Icônes&#x202f;: Tabler Icons (MIT).</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>Open a model…</source>
        <translation>Ouvrir un modèle…</translation>
    </message>
    <message>
        <source>Load again</source>
        <translation>Recharger</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Nouveau chat</translation>
    </message>
    <message>
        <source>Engine settings…</source>
        <translation>Réglages du moteur…</translation>
    </message>
    <message>
        <source>Chat settings…</source>
        <translation>Réglages du chat…</translation>
    </message>
    <message>
        <source>Leave out the oldest turns</source>
        <translation>Omettre les tours les plus anciens</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Install PyTorch…</source>
        <translation>Installer PyTorch…</translation>
    </message>
</context>
<context>
    <name>AnswerFoot</name>
    <message>
        <source>Edit the answer</source>
        <translation>Modifier la réponse</translation>
    </message>
    <message>
        <source>New chat from here</source>
        <translation>Nouveau chat à partir d’ici</translation>
    </message>
    <message>
        <source>Show on the timeline</source>
        <translation>Montrer sur la chronologie</translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation>Continuer la réponse</translation>
    </message>
    <message>
        <source>Answer once more</source>
        <translation>Répondre à nouveau</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>Copier la réponse</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Copier en Markdown</translation>
    </message>
    <message>
        <source>Copy as plain text</source>
        <translation>Copier en texte brut</translation>
    </message>
    <message>
        <source>Copy with reasoning</source>
        <translation>Copier avec le raisonnement</translation>
    </message>
</context>
<context>
    <name>AnswerWidget</name>
    <message>
        <source>Answer</source>
        <translation>Réponse</translation>
    </message>
</context>
<context>
    <name>AttachmentBar</name>
    <message>
        <source>Attached files</source>
        <translation>Fichiers joints</translation>
    </message>
</context>
<context>
    <name>AttachmentChip</name>
    <message>
        <source>reading…</source>
        <translation>lecture…</translation>
    </message>
    <message>
        <source>page {page} of {n}</source>
        <translation>page {page} sur {n}</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>Retirer {name}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Retirer</translation>
    </message>
    <message>
        <source>Stop reading {name}</source>
        <translation>Arrêter la lecture de {name}</translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>Arrêter la lecture</translation>
    </message>
</context>
<context>
    <name>AttachmentDialog</name>
    <message>
        <source>Text of the file</source>
        <translation>Texte du fichier</translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation>Copier le texte</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>“{name}” was not attached</source>
        <translation>«&#xa0;{name}&#xa0;» n’a pas été joint</translation>
    </message>
    <message>
        <source>It could not be read: {reason}.</source>
        <translation>Il n’a pas pu être lu&#x202f;: {reason}.</translation>
    </message>
    <message>
        <source>There is more than {most} of text in it. Attach only the pages that matter, saved as a PDF of their own.</source>
        <translation>Il contient plus de {most} de texte. Joignez seulement les pages qui comptent, enregistrées dans un PDF à part.</translation>
    </message>
    <message>
        <source>There is nothing in it.</source>
        <translation>Il ne contient rien.</translation>
    </message>
    <message>
        <source>A message takes at most {n} files. Send these first.</source>
        <translation>Un message accepte au plus {n} fichiers. Envoyez d’abord ceux-ci.</translation>
    </message>
    <message>
        <source>{n} files were not attached</source>
        <translation>{n} fichiers n’ont pas été joints</translation>
    </message>
    <message>
        <source>“{name}”: {reason}</source>
        <translation>«&#xa0;{name}&#xa0;»&#x202f;: {reason}</translation>
    </message>
    <message>
        <source>Not all files were attached</source>
        <translation>Tous les fichiers n’ont pas été joints</translation>
    </message>
    <message>
        <source>A message takes at most {most} of text. Send the other files first.</source>
        <translation>Un message accepte au plus {most} de texte. Envoyez d’abord les autres fichiers.</translation>
    </message>
    <message>
        <source>“{name}” is attached already</source>
        <translation>«&#xa0;{name}&#xa0;» est déjà joint</translation>
    </message>
    <message>
        <source>The same text goes along only once.</source>
        <translation>Le même texte ne part qu’une fois.</translation>
    </message>
    <message>
        <source>Send when it is there, or take it from the message to send without it.</source>
        <translation>Envoyez quand il sera là, ou retirez-le du message pour envoyer sans lui.</translation>
    </message>
    <message>
        <source>“{name}” is still being read</source>
        <translation>«&#xa0;{name}&#xa0;» est encore en cours de lecture</translation>
    </message>
    <message>
        <source>It is no longer there.</source>
        <translation>Il n’est plus là.</translation>
    </message>
    <message>
        <source>It is a folder. Attach the files in it instead.</source>
        <translation>C’est un dossier. Joignez plutôt les fichiers qu’il contient.</translation>
    </message>
    <message>
        <source>It is not a file. Choose text files or PDFs.</source>
        <translation>Ce n’est pas un fichier. Choisissez des fichiers de texte ou des PDF.</translation>
    </message>
    <message>
        <source>It is {size}, and at most {most} can be attached. Copy the part that matters instead.</source>
        <translation>Il fait {size}, et l’on peut joindre {most} au plus. Copiez plutôt la partie qui importe.</translation>
    </message>
    <message>
        <source>It is a picture, and only text can be attached.</source>
        <translation>C’est une image, et seul du texte peut être joint.</translation>
    </message>
    <message>
        <source>It is an office document. Save it as a PDF, as text or as CSV, and attach that.</source>
        <translation>C’est un document bureautique. Enregistrez-le en PDF, en texte ou en CSV, et joignez le résultat.</translation>
    </message>
    <message>
        <source>It is a model. Open it to chat with it.</source>
        <translation>C’est un modèle. Ouvrez-le pour discuter avec lui.</translation>
    </message>
    <message>
        <source>It is not text. Text, code, Markdown, CSV and PDF can be attached.</source>
        <translation>Ce n’est pas du texte. On peut joindre du texte, du code, du Markdown, du CSV et du PDF.</translation>
    </message>
    <message>
        <source>It is protected by a password. Open it in a PDF viewer, print or save it as a PDF without the password, and attach that.</source>
        <translation>Il est protégé par un mot de passe. Ouvrez-le dans une visionneuse PDF, imprimez-le ou enregistrez-le en PDF sans mot de passe, et joignez le résultat.</translation>
    </message>
    <message>
        <source>It is encrypted in a way that cannot be read here. Open it in a PDF viewer, print or save it as a PDF without protection, and attach that.</source>
        <translation>Il est chiffré d’une manière illisible ici. Ouvrez-le dans une visionneuse PDF, imprimez-le ou enregistrez-le en PDF sans protection, et joignez le résultat.</translation>
    </message>
    <message>
        <source>It is a damaged PDF. Where a PDF viewer opens it, save it from there as another file, and attach that.</source>
        <translation>C’est un PDF endommagé. Si une visionneuse PDF l’ouvre, enregistrez-le de là sous un autre nom, et joignez le résultat.</translation>
    </message>
    <message>
        <source>No text was found in it: its pages may be scanned pictures. Let a text recognition (OCR) add the text first.</source>
        <translation>Aucun texte n’y a été trouvé&#x202f;: ses pages sont peut-être des images numérisées. Faites d’abord ajouter le texte par une reconnaissance de caractères (OCR).</translation>
    </message>
    <message>
        <source>Reading it takes too much memory. It may be damaged or hostile.</source>
        <translation>Sa lecture prend trop de mémoire. Il est peut-être endommagé ou malveillant.</translation>
    </message>
    <message>
        <source>Reading it takes too long. The drive may not answer, or the file may be damaged.</source>
        <translation>Sa lecture dure trop longtemps. Le lecteur ne répond peut-être pas, ou le fichier est peut-être endommagé.</translation>
    </message>
    <message>
        <source>What reads files has ended too early. Try again.</source>
        <translation>Ce qui lit les fichiers s’est terminé trop tôt. Réessayez.</translation>
    </message>
    <message>
        <source>Attach text files or PDFs</source>
        <translation>Joindre des fichiers de texte ou des PDF</translation>
    </message>
    <message>
        <source>pages without text: {n}</source>
        <translation>pages sans texte&#x202f;: {n}</translation>
    </message>
    <message>
        <source>read as Windows-1252, since it is not UTF-8</source>
        <translation>lu comme Windows-1252, car ce n’est pas de l’UTF-8</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1 page</translation>
    </message>
    <message>
        <source>{n} pages</source>
        <translation>{n} pages</translation>
    </message>
</context>
<context>
    <name>CandidateRows</name>
    <message>
        <source>Alternatives</source>
        <translation>Alternatives</translation>
    </message>
    <message>
        <source>model</source>
        <translation>modèle</translation>
    </message>
    <message>
        <source>drawn with</source>
        <translation>tiré avec</translation>
    </message>
</context>
<context>
    <name>ChatDelegate</name>
    <message>
        <source>Title of the conversation</source>
        <translation>Titre de la conversation</translation>
    </message>
</context>
<context>
    <name>ChatListControl</name>
    <message>
        <source>New folder</source>
        <translation>Nouveau dossier</translation>
    </message>
    <message>
        <source>Rename folder</source>
        <translation>Renommer le dossier</translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message>
        <source>New chat</source>
        <translation>Nouveau chat</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Épinglées</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Aujourd’hui</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>Cette semaine</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Plus ancien</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>Archivées</translation>
    </message>
    <message numerus="yes">
        <source>%Ln found</source>
        <translation>
            <numerusform>%Ln trouvée</numerusform>
            <numerusform>%Ln trouvées</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Rien trouvé</translation>
    </message>
    <message>
        <source>collapsed</source>
        <translation>replié</translation>
    </message>
    <message>
        <source>expanded</source>
        <translation>déplié</translation>
    </message>
    <message numerus="yes">
        <source>%Ln conversation(s)</source>
        <translation>
            <numerusform>%Ln conversation</numerusform>
            <numerusform>%Ln conversations</numerusform>
        </translation>
    </message>
    <message>
        <source>Folder {name}, {count}, {state}</source>
        <translation>Dossier {name}, {count}, {state}</translation>
    </message>
</context>
<context>
    <name>ChatMenu</name>
    <message>
        <source>Move to folder</source>
        <translation>Mettre dans un dossier</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Désépingler</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Épingler</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Rétablir</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archiver</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Renommer</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Dupliquer</translation>
    </message>
    <message>
        <source>Move to folder…</source>
        <translation>Mettre dans un dossier…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Supprimer</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Dossier</translation>
    </message>
    <message>
        <source>New chat here</source>
        <translation>Nouveau chat ici</translation>
    </message>
    <message>
        <source>Rename folder…</source>
        <translation>Renommer le dossier…</translation>
    </message>
    <message>
        <source>Delete folder, keep conversations</source>
        <translation>Supprimer le dossier, garder les conversations</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversations</translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation>Nouveau dossier…</translation>
    </message>
    <message>
        <source>No folder</source>
        <translation>Aucun dossier</translation>
    </message>
</context>
<context>
    <name>ChatOptions</name>
    <message>
        <source>For example: Answer briefly, in plain words.</source>
        <translation>Par exemple&#x202f;: Réponds brièvement, avec des mots simples.</translation>
    </message>
    <message>
        <source>One text a line</source>
        <translation>Un texte par ligne</translation>
    </message>
    <message>
        <source>Stop and ask</source>
        <translation>S’arrêter et demander</translation>
    </message>
    <message>
        <source>Leave out the oldest turns</source>
        <translation>Omettre les tours les plus anciens</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Prompt système</translation>
    </message>
    <message>
        <source>What the model is told before the conversation begins.</source>
        <translation>Ce qui est dit au modèle avant le début de la conversation.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Graine</translation>
    </message>
    <message>
        <source>The same seed and settings give the same answer again. Auto draws another one each time.</source>
        <translation>La même graine et les mêmes réglages redonnent la même réponse. Auto en tire une autre à chaque fois.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Température</translation>
    </message>
    <message>
        <source>How freely words are chosen: 0 always takes the most likely one, high values surprise more and err more.</source>
        <translation>La liberté dans le choix des mots&#x202f;: 0 prend toujours le plus probable, les valeurs élevées surprennent et se trompent davantage.</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only this many of the most likely tokens; 0 is all.</source>
        <translation>Seulement ce nombre de jetons parmi les plus probables&#x202f;; 0 les garde tous.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Only the most likely tokens that together reach this probability; 1 is all.</source>
        <translation>Seulement les jetons les plus probables qui atteignent ensemble cette probabilité&#x202f;; 1 les garde tous.</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Leaves out tokens less likely than this share of the most likely one; 0 leaves out none.</source>
        <translation>Écarte les jetons moins probables que cette part du plus probable&#x202f;; 0 n’en écarte aucun.</translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation>Pénalité de répétition</translation>
    </message>
    <message>
        <source>Makes tokens that occurred lately less likely; 1 is off.</source>
        <translation>Rend moins probables les jetons apparus récemment&#x202f;; 1 la désactive.</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Pénalité de présence</translation>
    </message>
    <message>
        <source>Counts against a token once if it occurred lately, which favours new subjects; 0 is off.</source>
        <translation>Pèse une fois sur un jeton apparu récemment, ce qui favorise de nouveaux sujets&#x202f;; 0 la désactive.</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Pénalité de fréquence</translation>
    </message>
    <message>
        <source>Counts against a token for each time it occurred lately; 0 is off.</source>
        <translation>Pèse sur un jeton à chacune de ses apparitions récentes&#x202f;; 0 la désactive.</translation>
    </message>
    <message>
        <source>Penalty window</source>
        <translation>Fenêtre des pénalités</translation>
    </message>
    <message>
        <source>How many tokens back the penalties look; 0 is off.</source>
        <translation>Nombre de jetons en arrière que les pénalités regardent&#x202f;; 0 les désactive.</translation>
    </message>
    <message>
        <source>Maximum length</source>
        <translation>Longueur maximale</translation>
    </message>
    <message>
        <source>Most tokens of an answer. Auto goes on until the context is full.</source>
        <translation>Nombre maximal de jetons d’une réponse. Auto continue jusqu’à ce que le contexte soit plein.</translation>
    </message>
    <message>
        <source>Stop strings</source>
        <translation>Textes d’arrêt</translation>
    </message>
    <message>
        <source>An answer ends before any of these texts, one a line. Write \n for a line break, \t for a tab and \\ for a backslash.</source>
        <translation>Une réponse s’arrête avant l’un de ces textes, un par ligne. Écrivez \n pour un saut de ligne, \t pour une tabulation et \\ pour une barre oblique inverse.</translation>
    </message>
    <message>
        <source>When it no longer fits</source>
        <translation>Quand elle ne tient plus</translation>
    </message>
    <message>
        <source>What happens when the conversation outgrows the context. Turns that are left out stay on screen, and a line shows where the model begins to see.</source>
        <translation>Ce qui se passe quand la conversation dépasse le contexte. Les tours omis restent à l’écran, et une ligne montre où commence ce que voit le modèle.</translation>
    </message>
</context>
<context>
    <name>ChatSettingsDialog</name>
    <message>
        <source>Chat settings</source>
        <translation>Réglages du chat</translation>
    </message>
    <message>
        <source>Also for new chats</source>
        <translation>Aussi pour les nouveaux chats</translation>
    </message>
    <message>
        <source>The preset of the model could not be kept: {reason}</source>
        <translation>Le préréglage du modèle n’a pas pu être conservé&#x202f;: {reason}</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Préréglage</translation>
    </message>
    <message>
        <source>Fills in the fields below. Those that come with Oscillama change only how words are chosen; your own ones set everything.</source>
        <translation>Remplit les champs ci-dessous. Ceux fournis avec Oscillama ne changent que le choix des mots&#x202f;; les vôtres règlent tout.</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>Ce modèle</translation>
    </message>
    <message>
        <source>New chats with this model then begin with the preset.</source>
        <translation>Les nouveaux chats avec ce modèle commencent alors avec ce préréglage.</translation>
    </message>
    <message>
        <source>Load a model first to choose a preset for it.</source>
        <translation>Chargez d’abord un modèle pour lui choisir un préréglage.</translation>
    </message>
    <message>
        <source>Always begin with this preset for {model}</source>
        <translation>Toujours utiliser ce préréglage pour {model}</translation>
    </message>
    <message>
        <source>Always begin with this preset</source>
        <translation>Toujours utiliser ce préréglage</translation>
    </message>
    <message>
        <source>Use in this chat</source>
        <translation>Utiliser dans ce chat</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Tout réinitialiser</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
</context>
<context>
    <name>ClosingDialog</name>
    <message>
        <source>Close without saving?</source>
        <translation>Fermer sans enregistrer&#x202f;?</translation>
    </message>
    <message>
        <source>What could not be saved since then is lost when Oscillama closes. Wait until it is saved, or export the conversations that you have written in or opened.</source>
        <translation>Ce qui n’a pas pu être enregistré depuis est perdu à la fermeture d’Oscillama. Attendez que ce soit enregistré, ou exportez les conversations où vous avez écrit ou que vous avez ouvertes.</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>Laisser ouvert</translation>
    </message>
    <message>
        <source>Export and close…</source>
        <translation>Exporter et fermer…</translation>
    </message>
    <message>
        <source>Close anyway</source>
        <translation>Fermer quand même</translation>
    </message>
</context>
<context>
    <name>CodePart</name>
    <message>
        <source>code</source>
        <translation>code</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Copier le code</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
</context>
<context>
    <name>ColumnHeader</name>
    <message>
        <source>Live</source>
        <translation>En direct</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Suivre</translation>
    </message>
    <message>
        <source>Show all of the answer again (Home, or a double click on a graph)</source>
        <translation>Montrer de nouveau toute la réponse (Origine, ou un double clic sur un graphique)</translation>
    </message>
    <message>
        <source>Timeline of all answers</source>
        <translation>Chronologie de toutes les réponses</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Pause the live panels</source>
        <translation>Mettre les panneaux en pause</translation>
    </message>
    <message>
        <source>Panels shown: {set}</source>
        <translation>Panneaux affichés&#x202f;: {set}</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Chronologie</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reprendre</translation>
    </message>
</context>
<context>
    <name>Columns</name>
    <message>
        <source>‹ Conversation</source>
        <translation>‹ Conversation</translation>
    </message>
    <message>
        <source>Back to the conversation</source>
        <translation>Revenir à la conversation</translation>
    </message>
</context>
<context>
    <name>ComingPanels</name>
    <message>
        <source>Live telemetry</source>
        <translation>Télémétrie en direct</translation>
    </message>
    <message>
        <source>Getting ready</source>
        <translation>En préparation</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>En direct</translation>
    </message>
</context>
<context>
    <name>ComparisonTable</name>
    <message>
        <source>Runs that were alike</source>
        <translation>Mesures semblables</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Mesures</translation>
    </message>
    <message>
        <source>Medians and spread of the chosen runs</source>
        <translation>Médianes et étendue des mesures choisies</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach files</source>
        <translation>Joindre des fichiers</translation>
    </message>
    <message>
        <source>Attach text files or PDFs, which can also be dropped or pasted (Ctrl+Shift+A)</source>
        <translation>Joindre des fichiers de texte ou des PDF, que l’on peut aussi déposer ou coller (Ctrl+Maj+A)</translation>
    </message>
    <message>
        <source>Chat settings</source>
        <translation>Réglages du chat</translation>
    </message>
    <message>
        <source>System prompt, sampling and presets of this chat (Ctrl+Shift+,)</source>
        <translation>Prompt système, échantillonnage et préréglages de ce chat (Ctrl+Maj+,)</translation>
    </message>
    <message>
        <source>Stop   Esc</source>
        <translation>Arrêter   Échap</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Envoyer</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Arrêter la réponse</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Envoyer le message</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>Arrêter la réponse (Échap)</translation>
    </message>
    <message>
        <source>Send the message (Enter)</source>
        <translation>Envoyer le message (Entrée)</translation>
    </message>
</context>
<context>
    <name>ContextCounter</name>
    <message>
        <source>This message alone does not fit into the context: it would be refused. Shorten it, or load the model with a larger context.</source>
        <translation>Ce message seul ne tient pas dans le contexte&#x202f;: il serait refusé. Raccourcissez-le, ou chargez le modèle avec un contexte plus grand.</translation>
    </message>
    <message>
        <source>This no longer fits into the context: it would be refused. Shorten it, or let the chat settings leave out the oldest turns.</source>
        <translation>Cela ne tient plus dans le contexte&#x202f;: ce serait refusé. Raccourcissez, ou laissez les réglages de la discussion omettre les tours les plus anciens.</translation>
    </message>
    <message numerus="yes">
        <source>Sending this leaves out %Ln turns at the beginning, for which there is no room.</source>
        <translation>
            <numerusform>L’envoi omet %Ln tour au début, faute de place.</numerusform>
            <numerusform>L’envoi omet %Ln tours au début, faute de place.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context used</source>
        <translation>Contexte utilisé</translation>
    </message>
    <message>
        <source>Tokens of this conversation and of what is typed, of the context size</source>
        <translation>Jetons de cette conversation et de ce qui est saisi, sur la taille du contexte</translation>
    </message>
    <message>
        <source>{n} more are kept for the answer</source>
        <translation>{n} de plus sont gardés pour la réponse</translation>
    </message>
    <message>
        <source>This no longer fits into the context</source>
        <translation>Cela ne tient plus dans le contexte</translation>
    </message>
</context>
<context>
    <name>ConversationActions</name>
    <message>
        <source>You</source>
        <translation>Vous</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modèle</translation>
    </message>
</context>
<context>
    <name>ConversationSelection</name>
    <message>
        <source>Tokens of this word</source>
        <translation>Jetons de ce mot</translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copied</source>
        <translation>Copié</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
</context>
<context>
    <name>Counted</name>
    <message numerus="yes">
        <source>%Ln step(s)</source>
        <translation>
            <numerusform>%Ln pas</numerusform>
            <numerusform>%Ln pas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s), the oldest, left out to make room</source>
        <translation>
            <numerusform>%Ln message, le plus ancien, laissé de côté pour faire de la place</numerusform>
            <numerusform>%Ln messages, les plus anciens, laissés de côté pour faire de la place</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>prefill of %Ln token(s), {time}</source>
        <translation>
            <numerusform>préremplissage de %Ln jeton, {time}</numerusform>
            <numerusform>préremplissage de %Ln jetons, {time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>KV cache %Ln token(s), {size}</source>
        <translation>
            <numerusform>cache KV %Ln jeton, {size}</numerusform>
            <numerusform>cache KV %Ln jetons, {size}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Counts</name>
    <message numerus="yes">
        <source>{time} for %Ln tokens of one step</source>
        <translation>
            <numerusform>{time} pour %Ln jeton d’une étape</numerusform>
            <numerusform>{time} pour %Ln jetons d’une étape</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CpuPanel</name>
    <message>
        <source>CPU time of the engine process divided by time, where 100 % is one core fully busy; the grey curve is this window. Measured by a process of its own, four times a second while an answer runs.</source>
        <translation>Temps CPU du processus du moteur rapporté au temps écoulé&#x202f;: 100&#x202f;% correspond à un cœur pleinement occupé. La courbe grise est celle de cette fenêtre. Mesuré par un processus à part, quatre fois par seconde pendant une réponse.</translation>
    </message>
    <message>
        <source>How hard the processor works: at 100 % one of its cores is busy all the time.</source>
        <translation>L’effort du processeur&#x202f;: à 100&#x202f;%, l’un de ses cœurs est occupé tout le temps.</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>le modèle</translation>
    </message>
    <message>
        <source>this window</source>
        <translation>cette fenêtre</translation>
    </message>
    <message>
        <source>engine threads {n}</source>
        <translation>threads du moteur {n}</translation>
    </message>
    <message>
        <source>window {share}</source>
        <translation>fenêtre {share}</translation>
    </message>
    <message>
        <source>100 % = one core</source>
        <translation>100&#x202f;% = un cœur</translation>
    </message>
</context>
<context>
    <name>CpuPowerPanel</name>
    <message>
        <source>Copy the command</source>
        <translation>Copier la commande</translation>
    </message>
    <message>
        <source>For good, write this line to {file}:</source>
        <translation>Pour de bon, écrivez cette ligne dans {file}&#x202f;:</translation>
    </message>
    <message>
        <source>Power of all CPU packages (cores, caches and memory controller), from the energy counters of the processor (RAPL), whatever runs on them. Energy of an output token is the difference of the counters over the answer, prefill included, divided by its output tokens. It is blank where the counter went backwards, or samples are missing.</source>
        <translation>Puissance de tous les boîtiers CPU (cœurs, caches et contrôleur mémoire), d’après les compteurs d’énergie du processeur (RAPL), quoi qu’il y tourne. L’énergie d’un jeton de sortie est la différence des compteurs sur la réponse, préremplissage compris, divisée par ses jetons de sortie. Elle est vide si le compteur a reculé ou si des mesures manquent.</translation>
    </message>
    <message>
        <source>this machine shows no energy counter (RAPL)</source>
        <translation>cette machine ne montre pas de compteur d’énergie (RAPL)</translation>
    </message>
    <message>
        <source>its energy counter (RAPL) cannot be read</source>
        <translation>son compteur d’énergie (RAPL) ne se lit pas</translation>
    </message>
    <message>
        <source>not looked for yet</source>
        <translation>pas encore cherché</translation>
    </message>
    <message>
        <source>Not readable</source>
        <translation>Illisible</translation>
    </message>
    <message>
        <source>How much electricity the processor draws now, all its cores together.</source>
        <translation>La puissance électrique que tire le processeur en ce moment, tous cœurs compris.</translation>
    </message>
    <message>
        <source>power</source>
        <translation>puissance</translation>
    </message>
    <message>
        <source>Only root may read the energy counter here. This command lets every program read it until the next restart.</source>
        <translation>Seul root peut lire le compteur d’énergie ici. Cette commande permet à tout programme de le lire jusqu’au prochain redémarrage.</translation>
    </message>
</context>
<context>
    <name>CutMark</name>
    <message>
        <source>The model no longer sees what is above</source>
        <translation>Le modèle ne voit plus ce qui précède</translation>
    </message>
    <message>
        <source>The conversation outgrew the context, so its oldest turns are left out. The chat settings say what happens then.</source>
        <translation>La conversation a dépassé le contexte, ses tours les plus anciens sont donc omis. Les réglages du chat disent ce qui se passe alors.</translation>
    </message>
</context>
<context>
    <name>DecodeRatePanel</name>
    <message>
        <source>Output tokens after the first, divided by the time from the first to the last: (n − 1) / (t_last − t_first), which is 1 / TPOT. The curve is the same over the last second before each engine step. Stamped in the engine process.</source>
        <translation>Jetons de sortie après le premier, divisés par le temps entre le premier et le dernier&#x202f;: (n − 1) / (t_last − t_first), soit 1 / TPOT. La courbe donne la même valeur sur la dernière seconde avant chaque pas du moteur. Horodaté dans le processus du moteur.</translation>
    </message>
    <message>
        <source>Shows from the second token of an answer</source>
        <translation>S’affiche dès le deuxième jeton d’une réponse</translation>
    </message>
    <message>
        <source>How fast the answer is written: a token is a piece of a word, and most people read about five of them a second.</source>
        <translation>La vitesse à laquelle la réponse s’écrit&#x202f;: un jeton est un morceau de mot, et l’on en lit environ cinq par seconde.</translation>
    </message>
    <message>
        <source>tokens per second</source>
        <translation>jetons par seconde</translation>
    </message>
    <message>
        <source>prefill {rate}</source>
        <translation>préremplissage {rate}</translation>
    </message>
    <message>
        <source>{share} of what memory allows</source>
        <translation>{share} de ce que permet la mémoire</translation>
    </message>
</context>
<context>
    <name>DeviceBlock</name>
    <message>
        <source>Parts of the memory</source>
        <translation>Parties de la mémoire</translation>
    </message>
    <message>
        <source>What the figures mean</source>
        <translation>Signification des chiffres</translation>
    </message>
    <message>
        <source>{free} free of {total}</source>
        <translation>{free} libres sur {total}</translation>
    </message>
    <message>
        <source>Memory now: {device}</source>
        <translation>Mémoire maintenant&#x202f;: {device}</translation>
    </message>
    <message>
        <source>Oscillama, enlarged</source>
        <translation>Oscillama, agrandi</translation>
    </message>
    <message>
        <source>Memory of Oscillama</source>
        <translation>Mémoire d’Oscillama</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>En tout</translation>
    </message>
    <message>
        <source>Oscillama in all</source>
        <translation>Oscillama en tout</translation>
    </message>
    <message>
        <source>Predicted before loading</source>
        <translation>Prévue avant le chargement</translation>
    </message>
    <message>
        <source>Machine memory (RAM)</source>
        <translation>Mémoire vive (RAM)</translation>
    </message>
    <message>
        <source>Memory predicted before loading</source>
        <translation>Mémoire prévue avant le chargement</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>prévue</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>réservée</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>en mémoire</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Open a model…</source>
        <translation>Ouvrir un modèle…</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Ouvrir un modèle</translation>
    </message>
    <message>
        <source>What would you like to know?</source>
        <translation>Que voulez-vous savoir&#x202f;?</translation>
    </message>
    <message>
        <source>Ask anything, and watch at the right what the machine does to answer.</source>
        <translation>Posez n’importe quelle question et observez à droite ce que fait la machine pour répondre.</translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation>Ouvrez un modèle pour commencer</translation>
    </message>
    <message>
        <source>Oscillama runs language models on this machine. Open a model, a GGUF file or a folder of safetensors, and chat with it here.</source>
        <translation>Oscillama exécute des modèles de langage sur cette machine. Ouvrez un modèle, fichier GGUF ou dossier de safetensors, et discutez avec lui ici.</translation>
    </message>
    <message>
        <source>Why is the sky blue? Explain it like I&apos;m twelve.</source>
        <translation>Pourquoi le ciel est-il bleu&#x202f;? Explique-le comme si j’avais douze ans.</translation>
    </message>
    <message>
        <source>Write a Python function that reverses the words of a sentence.</source>
        <translation>Écris une fonction Python qui inverse l’ordre des mots d’une phrase.</translation>
    </message>
    <message>
        <source>What happens inside a computer while a language model answers?</source>
        <translation>Que fait un ordinateur quand un modèle de langage répond&#x202f;?</translation>
    </message>
    <message>
        <source>Sends this message</source>
        <translation>Envoie ce message</translation>
    </message>
</context>
<context>
    <name>Energy</name>
    <message>
        <source>{joules} per token  ·  {all}</source>
        <translation>{joules} par jeton  ·  {all}</translation>
    </message>
</context>
<context>
    <name>EngineDialog</name>
    <message>
        <source>Engine settings</source>
        <translation>Réglages du moteur</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Activée</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Désactivée</translation>
    </message>
    <message>
        <source>Context size</source>
        <translation>Taille du contexte</translation>
    </message>
    <message>
        <source>Tokens the model can see: the conversation and its answer. A larger context takes more memory from the start.</source>
        <translation>Jetons visibles par le modèle&#x202f;: conversation et réponse. Plus grand, il occupe plus de mémoire dès le départ.</translation>
    </message>
    <message>
        <source>Threads, decode</source>
        <translation>Threads, décodage</translation>
    </message>
    <message>
        <source>CPU threads while tokens are produced. Auto measures which number is fastest here.</source>
        <translation>Threads CPU pendant la production des jetons. Auto mesure le nombre le plus rapide ici.</translation>
    </message>
    <message>
        <source>Threads, prefill</source>
        <translation>Threads, préremplissage</translation>
    </message>
    <message>
        <source>CPU threads while the prompt is read.</source>
        <translation>Threads CPU pendant la lecture du prompt.</translation>
    </message>
    <message>
        <source>KV cache type</source>
        <translation>Type du cache KV</translation>
    </message>
    <message>
        <source>Number format of the cache. q8_0 and q4_0 take a half and a quarter of the memory of f16, and are slower on most CPUs.</source>
        <translation>Format&#x202f;: q8_0 et q4_0 prennent la moitié et le quart de f16, et sont souvent plus lents sur CPU.</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash attention</translation>
    </message>
    <message>
        <source>Attention as one fused step. Auto uses it where it is faster.</source>
        <translation>L’attention calculée en une seule étape fusionnée. Auto l’emploie là où elle est plus rapide.</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>Couches sur le GPU</translation>
    </message>
    <message>
        <source>Layers of the model on the GPU; the rest runs on the CPU. Auto puts there all that fit.</source>
        <translation>Couches du modèle placées sur le GPU&#x202f;; le reste s’exécute sur le CPU. Auto y place toutes celles qui tiennent.</translation>
    </message>
    <message>
        <source>What computes. Auto takes the fastest that holds the model. CUDA is for GPUs of NVIDIA and AMD, MPS for those of Apple, XPU for those of Intel.</source>
        <translation>Ce qui calcule. Auto prend le plus rapide qui contient le modèle. CUDA est pour les GPU de NVIDIA et d’AMD, MPS pour ceux d’Apple, XPU pour ceux d’Intel.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Appareil</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>Format des nombres</translation>
    </message>
    <message>
        <source>Of weights and KV cache. Auto takes bfloat16 where the device has it; float32 is the most exact and takes twice the memory.</source>
        <translation>Celui des poids et du cache KV. Auto prend bfloat16 si l’appareil en dispose&#x202f;; float32 est le plus exact et occupe deux fois plus de mémoire.</translation>
    </message>
    <message>
        <source>The installed PyTorch was built without support for the GPU here.</source>
        <translation>Le PyTorch installé a été compilé sans prise en charge du GPU de cette machine.</translation>
    </message>
    <message>
        <source>PyTorch could not use the GPU.</source>
        <translation>PyTorch n’a pas pu utiliser le GPU.</translation>
    </message>
    <message>
        <source>The GPU had too little free memory for this model.</source>
        <translation>Le GPU avait trop peu de mémoire libre pour ce modèle.</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Lot</translation>
    </message>
    <message>
        <source>Most prompt tokens handed to the engine in one call.</source>
        <translation>Jetons du prompt confiés au moteur en un appel, au plus.</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>Micro-lot</translation>
    </message>
    <message>
        <source>Most prompt tokens computed at once inside a call. Larger is faster and takes more memory.</source>
        <translation>Jetons du prompt calculés d’un coup, au plus. Plus grand&#x202f;: plus rapide, mais plus de mémoire.</translation>
    </message>
    <message>
        <source>llama.cpp runs GGUF files only; this model is a folder of safetensors.</source>
        <translation>llama.cpp n’exécute que des fichiers GGUF&#x202f;; ce modèle est un dossier de safetensors.</translation>
    </message>
    <message>
        <source>llama.cpp computes with the weights as they are in the file. PyTorch converts them first: the first load takes a while, and more memory is needed. The conversation stays.</source>
        <translation>llama.cpp calcule avec les poids tels qu’ils sont dans le fichier. PyTorch les convertit d’abord&#x202f;: le premier chargement est plus long, et il faut plus de mémoire. La conversation reste.</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Moteur</translation>
    </message>
    <message>
        <source>Load with these</source>
        <translation>Charger avec ces réglages</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>The installed llama.cpp was built for the CPU only.</source>
        <translation>Le llama.cpp installé a été compilé pour le CPU seulement.</translation>
    </message>
    <message>
        <source>The engine has found no GPU that it can use.</source>
        <translation>Le moteur n’a trouvé aucun GPU utilisable.</translation>
    </message>
    <message>
        <source>Auto ({n})</source>
        <translation>Auto ({n})</translation>
    </message>
</context>
<context>
    <name>Exchange</name>
    <message>
        <source>it is not whole JSON ({reason}).</source>
        <translation>ce n’est pas du JSON complet ({reason}).</translation>
    </message>
    <message>
        <source>what is in it is larger than 512 MB.</source>
        <translation>ce qu’il contient dépasse 512 Mo.</translation>
    </message>
    <message>
        <source>a later version of Oscillama exported it.</source>
        <translation>il a été exporté par une version plus récente d’Oscillama.</translation>
    </message>
    <message>
        <source>it is no export of Oscillama, ChatGPT, Open WebUI, LM Studio or ShareGPT ({where}).</source>
        <translation>ce n’est pas un export d’Oscillama, de ChatGPT, d’Open WebUI, de LM Studio ou de ShareGPT ({where}).</translation>
    </message>
    <message>
        <source>there is not enough memory for it.</source>
        <translation>il n’y a pas assez de mémoire pour cela.</translation>
    </message>
    <message>
        <source>two of its parts have the same id.</source>
        <translation>deux de ses parties ont le même identifiant.</translation>
    </message>
    <message>
        <source>what it says at {where} is not as it should be.</source>
        <translation>ce qu’il contient à {where} n’est pas conforme.</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Vous</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modèle</translation>
    </message>
    <message>
        <source>{model}, edited</source>
        <translation>{model}, modifié</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Nouveau chat</translation>
    </message>
    <message>
        <source>Export conversations</source>
        <translation>Exporter des conversations</translation>
    </message>
    <message>
        <source>Import conversations</source>
        <translation>Importer des conversations</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>Exportations</translation>
    </message>
    <message>
        <source>it is not a file.</source>
        <translation>ce n’est pas un fichier.</translation>
    </message>
    <message>
        <source>it has more than 200,000 files.</source>
        <translation>il contient plus de 200&#xa0;000 fichiers.</translation>
    </message>
    <message>
        <source>there is no conversations.json in it.</source>
        <translation>il ne contient pas de conversations.json.</translation>
    </message>
    <message>
        <source>it is encrypted. Unpack it, and import the conversations.json.</source>
        <translation>il est chiffré. Décompressez-le et importez le conversations.json.</translation>
    </message>
    <message>
        <source>two files in it have the same name.</source>
        <translation>deux de ses fichiers portent le même nom.</translation>
    </message>
    <message>
        <source>it is a damaged ZIP archive ({reason}).</source>
        <translation>c’est une archive ZIP endommagée ({reason}).</translation>
    </message>
    <message>
        <source>it has a file that leads out of it ({name}).</source>
        <translation>un de ses fichiers mène hors de l’archive ({name}).</translation>
    </message>
    <message>
        <source>one conversation in it is larger than 64 MB, or is damaged.</source>
        <translation>une de ses conversations dépasse 64 Mo ou est endommagée.</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversations</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Raisonnement</translation>
    </message>
    <message>
        <source>it could not be read ({reason}).</source>
        <translation>il n’a pas pu être lu ({reason}).</translation>
    </message>
    <message>
        <source>reading it ended before it was done. It may take more memory than there is.</source>
        <translation>sa lecture a pris fin avant d’être terminée. Elle demande peut-être plus de mémoire qu’il n’y en a.</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>waiting for the model</source>
        <translation>en attente du modèle</translation>
    </message>
    <message>
        <source>preparing the prompt</source>
        <translation>préparation du prompt</translation>
    </message>
    <message>
        <source>decoding</source>
        <translation>décodage</translation>
    </message>
    <message>
        <source>This answer was edited, so nothing was measured of it. What the model itself said is another variant, with its figures.</source>
        <translation>Cette réponse a été modifiée&#x202f;: rien n’y a été mesuré. Ce que le modèle a dit lui-même est une autre variante, avec ses chiffres.</translation>
    </message>
    <message>
        <source>TTFT, time to first token: from the engine taking the request to the first token sampled.</source>
        <translation>TTFT, temps jusqu’au premier jeton&#x202f;: de la prise en charge de la requête par le moteur au premier jeton échantillonné.</translation>
    </message>
    <message>
        <source>    engine {engine}   ·   felt, from sending to text on screen {felt}</source>
        <translation>    moteur {engine}   ·   ressenti, de l’envoi au texte à l’écran {felt}</translation>
    </message>
    <message>
        <source>tok/s, decode rate: output tokens after the first, by the time since the first.</source>
        <translation>jetons/s (tok/s), débit de décodage&#x202f;: jetons de sortie après le premier, rapportés au temps écoulé depuis le premier.</translation>
    </message>
    <message>
        <source>    {rate}   ·   TPOT, time per output token {tpot}</source>
        <translation>    {rate}   ·   TPOT, temps par jeton de sortie {tpot}</translation>
    </message>
    <message>
        <source>ITL, inter-token latency: from one engine step to the next.</source>
        <translation>ITL, latence entre jetons&#x202f;: d’un pas du moteur au suivant.</translation>
    </message>
    <message>
        <source>    p50 {p50}   ·   p95 {p95}   ·   p99 {p99}</source>
        <translation>    p50 {p50}   ·   p95 {p95}   ·   p99 {p99}</translation>
    </message>
    <message>
        <source>Latency: from sending to the last token sampled.</source>
        <translation>Latence&#x202f;: de l’envoi au dernier jeton échantillonné.</translation>
    </message>
    <message>
        <source>Prefill: reading the part of the prompt that is not in the cache.</source>
        <translation>Préremplissage&#x202f;: lecture de la partie du prompt qui n’est pas dans le cache.</translation>
    </message>
    <message>
        <source>    {rate}   ·   {prompt} prompt tokens, {cached} from cache</source>
        <translation>    {rate}   ·   {prompt} jetons de prompt, dont {cached} du cache</translation>
    </message>
    <message>
        <source>Context: prompt and output tokens, of the context size.</source>
        <translation>Contexte&#x202f;: jetons du prompt et de sortie, sur la taille du contexte.</translation>
    </message>
    <message>
        <source>This answer was continued. The figures are those of the last continuation: what was there before it is part of its prompt.</source>
        <translation>Cette réponse a été continuée. Les chiffres sont ceux de la dernière continuation&#x202f;: ce qui était là avant fait partie de son prompt.</translation>
    </message>
    <message>
        <source>reading {tokens}</source>
        <translation>lecture&#x202f;: {tokens}</translation>
    </message>
    <message>
        <source>{n} from cache</source>
        <translation>{n} du cache</translation>
    </message>
    <message>
        <source>TTFT {ttft}</source>
        <translation>TTFT {ttft}</translation>
    </message>
    <message>
        <source>since continuing: {figure}</source>
        <translation>depuis la reprise&#x202f;: {figure}</translation>
    </message>
    <message>
        <source>context {context}</source>
        <translation>contexte {context}</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>modifiée</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>échec</translation>
    </message>
    <message>
        <source>end of answer</source>
        <translation>terminée</translation>
    </message>
    <message>
        <source>length limit</source>
        <translation>longueur maximale</translation>
    </message>
    <message>
        <source>context full</source>
        <translation>contexte plein</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>interrompue</translation>
    </message>
</context>
<context>
    <name>FiguresLine</name>
    <message>
        <source>Prefill progress</source>
        <translation>Avancement du préremplissage</translation>
    </message>
    <message>
        <source>Figures of this answer</source>
        <translation>Chiffres de cette réponse</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in conversation</source>
        <translation>Chercher dans la conversation</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Résultat précédent</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Résultat suivant</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Aucun résultat</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} sur {total}</translation>
    </message>
</context>
<context>
    <name>FirstTokenPanel</name>
    <message>
        <source>TTFT: t_first − t_start, from when the engine takes the request to its first token; “felt” is from sending to the first text on screen. A bar is a turn: queue (grey), template and tokenize (dark grey), prefill (orange), first token (blue). The green line under it is the share of the prompt that was in the KV cache already. Stamped in the engine process, except “felt”.</source>
        <translation>TTFT&#x202f;: t_first − t_start, de la prise en charge de la requête par le moteur à son premier jeton&#x202f;; «&#xa0;ressenti&#xa0;» va de l’envoi au premier texte à l’écran. Une barre est un tour&#x202f;: file d’attente (gris), gabarit et découpage en jetons (gris foncé), préremplissage (orange), premier jeton (bleu). La ligne verte au-dessous est la part du prompt déjà présente dans le cache KV. Horodaté dans le processus du moteur, sauf «&#xa0;ressenti&#xa0;».</translation>
    </message>
    <message>
        <source>How long you wait until the answer begins, since the model has to read all of the question before it can write.</source>
        <translation>Le temps d’attente avant le début de la réponse, car le modèle doit lire toute la question avant d’écrire.</translation>
    </message>
    <message>
        <source>reading (prefill)</source>
        <translation>lecture (préremplissage)</translation>
    </message>
    <message>
        <source>remembered</source>
        <translation>gardé en mémoire</translation>
    </message>
    <message>
        <source>questions →</source>
        <translation>questions →</translation>
    </message>
    <message>
        <source>Shows with the first token of an answer</source>
        <translation>S’affiche au premier jeton d’une réponse</translation>
    </message>
    <message>
        <source>felt {time}</source>
        <translation>ressenti {time}</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>file</translation>
    </message>
    <message>
        <source>template</source>
        <translation>gabarit</translation>
    </message>
    <message>
        <source>{tokens} from cache</source>
        <translation>{tokens} en cache</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>préremplissage</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>premier jeton</translation>
    </message>
</context>
<context>
    <name>FolderDialog</name>
    <message>
        <source>Move to folder</source>
        <translation>Mettre dans un dossier</translation>
    </message>
    <message>
        <source>Search folders</source>
        <translation>Rechercher un dossier</translation>
    </message>
    <message>
        <source>No folder</source>
        <translation>Aucun dossier</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Dossiers</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Déplacer</translation>
    </message>
</context>
<context>
    <name>Folders</name>
    <message>
        <source>Type a name first.</source>
        <translation>Saisissez d’abord un nom.</translation>
    </message>
    <message>
        <source>Choose a shorter name.</source>
        <translation>Choisissez un nom plus court.</translation>
    </message>
    <message>
        <source>There is a folder of this name already.</source>
        <translation>Il y a déjà un dossier de ce nom.</translation>
    </message>
</context>
<context>
    <name>FootButton</name>
    <message>
        <source>An answer is running. Wait for it, or stop it first.</source>
        <translation>Une réponse est en cours. Attendez-la, ou arrêtez-la d’abord.</translation>
    </message>
</context>
<context>
    <name>GpuMemoryPanel</name>
    <message>
        <source>Memory of the GPU (VRAM) that the engine process holds, as the driver (NVML) reports it; weights, KV cache and compute buffers are reported by the engine, with what PyTorch&apos;s allocator keeps unused counted as compute. The dark part above is everything else on the device.</source>
        <translation>Mémoire du GPU (VRAM) détenue par le processus du moteur, selon le pilote (NVML)&#x202f;; les poids, le cache KV et les tampons de calcul sont indiqués par le moteur, et ce que l’allocateur de PyTorch garde inutilisé compte comme calcul. La partie sombre au-dessus est tout le reste sur la carte.</translation>
    </message>
    <message>
        <source>How much of the graphics card’s own memory the model takes; what does not fit there is computed elsewhere, and more slowly.</source>
        <translation>La part de la mémoire de la carte graphique que prend le modèle&#x202f;; ce qui n’y tient pas se calcule ailleurs, et plus lentement.</translation>
    </message>
    <message>
        <source>all else on the card</source>
        <translation>le reste sur la carte</translation>
    </message>
    <message>
        <source>device {bytes}</source>
        <translation>carte {bytes}</translation>
    </message>
    <message>
        <source>device {used} of {all}</source>
        <translation>carte {used} sur {all}</translation>
    </message>
</context>
<context>
    <name>GpuPanel</name>
    <message>
        <source>no NVIDIA driver was found</source>
        <translation>aucun pilote NVIDIA trouvé</translation>
    </message>
    <message>
        <source>the driver has no GPU</source>
        <translation>le pilote n’a aucun GPU</translation>
    </message>
    <message>
        <source>the driver does not answer</source>
        <translation>le pilote ne répond pas</translation>
    </message>
    <message>
        <source>reading it crashed, and is off until the next start</source>
        <translation>la lecture a planté, elle est désactivée jusqu’au prochain démarrage</translation>
    </message>
    <message>
        <source>not looked for yet</source>
        <translation>pas encore recherché</translation>
    </message>
</context>
<context>
    <name>GpuPowerPanel</name>
    <message>
        <source>Power of the whole board, as its driver (NVML) reports it. Energy of an output token is the difference of the board&apos;s energy counter over the answer, prefill included, divided by its output tokens; without such a counter it is the integral of the power. Where the engine is on several GPUs all this is added up. It is blank where the engine did not compute on the GPU, and where samples are missing.</source>
        <translation>Puissance de toute la carte, telle que son pilote (NVML) la donne. L’énergie d’un jeton de sortie est la différence du compteur d’énergie de la carte sur la réponse, préremplissage compris, divisée par ses jetons de sortie&#x202f;; sans un tel compteur, c’est l’intégrale de la puissance. Si le moteur est sur plusieurs GPU, tout cela est additionné. Elle est vide si le moteur n’a pas calculé sur le GPU, et si des mesures manquent.</translation>
    </message>
    <message>
        <source>How much electricity the graphics card draws now; a lamp in a room draws about 10 W.</source>
        <translation>La puissance électrique que tire la carte graphique en ce moment&#x202f;; une lampe de bureau tire environ 10&#x202f;W.</translation>
    </message>
    <message>
        <source>power</source>
        <translation>puissance</translation>
    </message>
    <message>
        <source>limit {power}</source>
        <translation>limite {power}</translation>
    </message>
</context>
<context>
    <name>GpuTemperaturePanel</name>
    <message>
        <source>Temperature of the GPU&apos;s chip, as its driver (NVML) reports it.</source>
        <translation>Température de la puce du GPU, selon son pilote (NVML).</translation>
    </message>
    <message>
        <source>How warm the chip of the graphics card is; when it gets too hot it slows down.</source>
        <translation>La température de la puce de la carte graphique&#x202f;; trop chaude, elle ralentit.</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>température</translation>
    </message>
</context>
<context>
    <name>GpuUsePanel</name>
    <message>
        <source>Share of time in which at least one kernel (a program on the GPU) ran, as its driver (NVML) reports it. It does not say how much of the GPU a kernel used. Where there are several, this is the one that holds most of the engine&apos;s memory.</source>
        <translation>Part du temps où au moins un noyau de calcul (un programme sur le GPU) s’exécutait, selon son pilote (NVML). Elle ne dit pas quelle part du GPU ce noyau occupait. S’il y a plusieurs GPU, c’est celui qui contient le plus de mémoire du moteur.</translation>
    </message>
    <message>
        <source>How much of the time the graphics card is working on something.</source>
        <translation>La part du temps pendant laquelle la carte graphique travaille.</translation>
    </message>
    <message>
        <source>the graphics card</source>
        <translation>la carte graphique</translation>
    </message>
</context>
<context>
    <name>ImportStrip</name>
    <message>
        <source>Import progress</source>
        <translation>Progression de l’importation</translation>
    </message>
    <message>
        <source>Cancel the import</source>
        <translation>Annuler l’importation</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importation</translation>
    </message>
    <message>
        <source>Importing {name}</source>
        <translation>Importation de {name}</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>top-k</source>
        <translation>top-k</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>top-p</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>min-p</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>glouton</translation>
    </message>
    <message>
        <source>out: {stage}</source>
        <translation>exclu&#x202f;: {stage}</translation>
    </message>
    <message>
        <source>{share}, the most likely</source>
        <translation>{share}, le plus probable</translation>
    </message>
    <message>
        <source>{share}, number {rank}</source>
        <translation>{share}, numéro {rank}</translation>
    </message>
    <message>
        <source>{size} in {tokens}</source>
        <translation>{size} dans {tokens}</translation>
    </message>
    <message>
        <source>{time} since the prompt was read</source>
        <translation>{time} depuis la lecture du prompt</translation>
    </message>
    <message>
        <source>No sampler removed a token.</source>
        <translation>Aucun échantillonneur n’a retiré de jeton.</translation>
    </message>
    <message>
        <source>Left after each sampler: {left}</source>
        <translation>Restants après chaque échantillonneur&#x202f;: {left}</translation>
    </message>
    <message>
        <source>Penalties changed the logits before.</source>
        <translation>Des pénalités ont d’abord modifié les logits.</translation>
    </message>
</context>
<context>
    <name>InspectorActions</name>
    <message>
        <source>Inspect tokens</source>
        <translation>Inspecter les jetons</translation>
    </message>
    <message>
        <source>Look into the word at the text cursor</source>
        <translation>Examiner le mot au curseur de texte</translation>
    </message>
    <message>
        <source>Also by Alt and a click on a word, or a click while tokens are inspected</source>
        <translation>Aussi par Alt et un clic sur un mot, ou par un clic pendant l’inspection des jetons</translation>
    </message>
    <message>
        <source>No colours</source>
        <translation>Sans couleurs</translation>
    </message>
    <message>
        <source>Colour by time</source>
        <translation>Colorer selon le temps</translation>
    </message>
    <message>
        <source>Colour by probability</source>
        <translation>Colorer selon la probabilité</translation>
    </message>
    <message>
        <source>It slows the model down; how much is measured with the next answer. Nothing when off.</source>
        <translation>Cela ralentit le modèle&#x202f;; de combien, la prochaine réponse le mesure. Rien si désactivé.</translation>
    </message>
    <message>
        <source>Took {share} of the decode time of the last answer.</source>
        <translation>A pris {share} du temps de décodage de la dernière réponse.</translation>
    </message>
    <message>
        <source>How each token of the next answers is chosen. For this session only.</source>
        <translation>Comment chaque jeton des prochaines réponses est choisi. Pour cette session seulement.</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Jetons</translation>
    </message>
</context>
<context>
    <name>InspectorStrip</name>
    <message>
        <source>Turn off</source>
        <translation>Désactiver</translation>
    </message>
    <message>
        <source>No longer inspect tokens</source>
        <translation>Ne plus inspecter les jetons</translation>
    </message>
    <message>
        <source>What it costs is measured with the next answer.</source>
        <translation>Ce que cela coûte sera mesuré avec la prochaine réponse.</translation>
    </message>
    <message>
        <source>It took {share} of the decode time of the last answer.</source>
        <translation>Cela a pris {share} du temps de décodage de la dernière réponse.</translation>
    </message>
    <message>
        <source>Tokens are inspected: click a word of an answer to see how it was chosen.</source>
        <translation>Les jetons sont inspectés&#x202f;: cliquez sur un mot d’une réponse pour voir comment il a été choisi.</translation>
    </message>
</context>
<context>
    <name>InstallDialog</name>
    <message>
        <source>Install PyTorch</source>
        <translation>Installer PyTorch</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Installer</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Pas maintenant</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>This downloads PyTorch and what it needs, and installs it into {folder}. That is about 0.4 GB without CUDA, and several GB where CUDA comes with it. You can go on chatting meanwhile, and stop it at any time.</source>
        <translation>PyTorch et ce dont il a besoin sont téléchargés, puis installés dans {folder}. Cela représente environ 0,4 Go sans CUDA, et plusieurs Go si CUDA en fait partie. Vous pouvez continuer à discuter pendant ce temps, et tout arrêter à n’importe quel moment.</translation>
    </message>
    <message>
        <source>Or do the same in a terminal, in {folder}:</source>
        <translation>Ou faites de même dans un terminal, dans {folder}&#x202f;:</translation>
    </message>
    <message>
        <source>Oscillama runs in an environment that it did not make ({folder}), so it leaves the install to you. It is about 0.4 GB without CUDA, and several GB with it.</source>
        <translation>Oscillama s’exécute dans un environnement qu’il n’a pas créé ({folder}) et vous laisse donc l’installation. Elle représente environ 0,4 Go sans CUDA, et plusieurs Go avec.</translation>
    </message>
    <message>
        <source>Type this in a terminal, then load the model again:</source>
        <translation>Tapez ceci dans un terminal, puis chargez à nouveau le modèle&#x202f;:</translation>
    </message>
    <message>
        <source>Command that installs PyTorch</source>
        <translation>Commande qui installe PyTorch</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Copier la commande</translation>
    </message>
    <message>
        <source>Install progress</source>
        <translation>Avancement de l’installation</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Stopping, and taking back what is half-done</source>
        <translation>Arrêt, et retrait de ce qui est à moitié fait</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} sur {total}</translation>
    </message>
    <message>
        <source>Waiting until another install here has ended</source>
        <translation>En attente de la fin d’une autre installation ici</translation>
    </message>
    <message>
        <source>Finding out what is needed</source>
        <translation>Recherche de ce qui est nécessaire</translation>
    </message>
    <message>
        <source>Downloading {package}</source>
        <translation>Téléchargement de {package}</translation>
    </message>
    <message>
        <source>Unpacking, which takes a minute or more</source>
        <translation>Décompression, qui prend une minute ou plus</translation>
    </message>
</context>
<context>
    <name>JumpButton</name>
    <message>
        <source>Jump to end</source>
        <translation>Aller à la fin</translation>
    </message>
</context>
<context>
    <name>KvCachePanel</name>
    <message>
        <source>held {tokens}</source>
        <translation>contenait {tokens}</translation>
    </message>
    <message>
        <source>Bytes that hold the p + n tokens of the conversation, from the model&apos;s own layout: keys and values of every layer, with grouped heads and sliding windows counted as they are. The last token counts, though the one that ends an answer is never stored: the next request finds one less. “Reserved” is what the engine allocated when it loaded the model. f16, q8_0 and q4_0 name the number format: 16 bits for each number, about 8, about 4. Computed here from the engine&apos;s token counts.</source>
        <translation>Octets qui contiennent les p + n jetons de la conversation, d’après la structure propre au modèle&#x202f;: clés et valeurs de chaque couche, têtes groupées et fenêtres glissantes comptées telles quelles. Le dernier jeton compte, bien que celui qui termine une réponse ne soit jamais écrit&#x202f;: la requête suivante en retrouve un de moins. «&#xa0;Réservé&#xa0;» est ce que le moteur a alloué au chargement du modèle. f16, q8_0 et q4_0 nomment le format des nombres&#x202f;: 16 bits par nombre, environ 8, environ 4. Calculé ici à partir des jetons comptés par le moteur.</translation>
    </message>
    <message>
        <source>Shows when a prompt enters the cache</source>
        <translation>S’affiche quand un prompt entre dans le cache</translation>
    </message>
    <message>
        <source>The notes the model keeps on this conversation, so that it need not read everything again for each word; they grow with every token.</source>
        <translation>Les notes que le modèle garde sur cette conversation pour ne pas tout relire à chaque mot&#x202f;; elles grandissent à chaque jeton.</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>utilisé</translation>
    </message>
    <message>
        <source>reserved {bytes}</source>
        <translation>réservé {bytes}</translation>
    </message>
</context>
<context>
    <name>KvCells</name>
    <message>
        <source>system prompt</source>
        <translation>prompt système</translation>
    </message>
    <message>
        <source>you</source>
        <translation>vous</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>réponses</translation>
    </message>
    <message>
        <source>marks between turns</source>
        <translation>repères entre les tours</translation>
    </message>
    <message>
        <source>prompt, parts not known</source>
        <translation>prompt, parties inconnues</translation>
    </message>
    <message>
        <source>system prompt of the template</source>
        <translation>prompt système du gabarit</translation>
    </message>
    <message>
        <source>tokens {first} to {last}</source>
        <translation>jetons {first} à {last}</translation>
    </message>
    <message>
        <source>no longer kept</source>
        <translation>plus conservés</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Prompt système</translation>
    </message>
    <message>
        <source>Your message {n}</source>
        <translation>Votre message {n}</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Réponse</translation>
    </message>
    <message>
        <source>Answer {n}</source>
        <translation>Réponse {n}</translation>
    </message>
    <message>
        <source>Marks between turns</source>
        <translation>Repères entre les tours</translation>
    </message>
    <message>
        <source>Part of the prompt</source>
        <translation>Partie du prompt</translation>
    </message>
    <message>
        <source>System prompt that the model&apos;s template adds</source>
        <translation>Prompt système ajouté par le gabarit du modèle</translation>
    </message>
    <message>
        <source>reused {n}</source>
        <translation>réutilisés {n}</translation>
    </message>
    <message>
        <source>read {n}</source>
        <translation>lus {n}</translation>
    </message>
    <message>
        <source>written {n}</source>
        <translation>écrits {n}</translation>
    </message>
    <message>
        <source>reused</source>
        <translation>réutilisé</translation>
    </message>
    <message>
        <source>partly reused</source>
        <translation>réutilisé en partie</translation>
    </message>
    <message>
        <source>read</source>
        <translation>lu</translation>
    </message>
    <message>
        <source>written</source>
        <translation>écrit</translation>
    </message>
    <message>
        <source>a state of {bytes}, the same at any length</source>
        <translation>un état de {bytes}, le même à toute longueur</translation>
    </message>
    <message>
        <source>the last {n} tokens only</source>
        <translation>les {n} derniers jetons seulement</translation>
    </message>
    <message>
        <source>{bytes} in all layers, as the engine reports it</source>
        <translation>{bytes} dans toutes les couches, d’après le moteur</translation>
    </message>
    <message>
        <source>{n} numbers</source>
        <translation>{n} nombres</translation>
    </message>
    <message>
        <source>2 (key, value)</source>
        <translation>2 (clé, valeur)</translation>
    </message>
    <message>
        <source>({k} + {v}) numbers of key and value</source>
        <translation>({k} + {v}) nombres de clé et de valeur</translation>
    </message>
    <message>
        <source>{n} numbers for key and value together</source>
        <translation>{n} nombres pour la clé et la valeur ensemble</translation>
    </message>
    <message>
        <source>{n} bytes</source>
        <translation>{n} octets</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Occupé</translation>
    </message>
    <message>
        <source>{used} of {reserved}</source>
        <translation>{used} sur {reserved}</translation>
    </message>
    <message>
        <source>One more token</source>
        <translation>Un jeton de plus</translation>
    </message>
    <message>
        <source>This model keeps no notes on single tokens: it folds all it has read into one state, which stays as large however long the conversation gets.</source>
        <translation>Ce modèle ne garde pas de notes sur chaque jeton&#x202f;: il replie tout ce qu’il a lu en un seul état, qui garde la même taille quelle que soit la longueur de la conversation.</translation>
    </message>
    <message>
        <source>The model keeps notes, a key and a value, on every token it has read. Without them it would have to read the whole conversation again for each new token. Memory for them is taken as they are written, for up to {n} tokens.</source>
        <translation>Le modèle garde des notes, une clé et une valeur, sur chaque jeton qu’il a lu. Sans elles, il devrait relire toute la conversation à chaque nouveau jeton. La mémoire est prise à mesure qu’elles sont écrites, pour {n} jetons au plus.</translation>
    </message>
    <message>
        <source>The model keeps notes, a key and a value, on every token it has read. Without them it would have to read the whole conversation again for each new token. Room for {n} tokens was set aside when it was loaded.</source>
        <translation>Le modèle garde des notes, une clé et une valeur, sur chaque jeton qu’il a lu. Sans elles, il devrait relire toute la conversation à chaque nouveau jeton. La place de {n} jetons a été mise de côté au chargement.</translation>
    </message>
    <message>
        <source>More tokens cost time here, and no memory.</source>
        <translation>Ici, d’autres jetons coûtent du temps, mais pas de mémoire.</translation>
    </message>
    <message>
        <source>In each layer {heads} attention heads, which look things up in the notes, share the notes of {kv_heads} (grouped-query attention): so the cache is much smaller.</source>
        <translation>Dans chaque couche, {heads} têtes d’attention, qui cherchent dans les notes, partagent les notes de {kv_heads} (grouped-query attention)&#x202f;: le cache en est bien plus petit.</translation>
    </message>
    <message>
        <source>Layers with a sliding window forget the oldest tokens, and stop growing there.</source>
        <translation>Les couches à fenêtre glissante oublient les jetons les plus anciens et cessent alors de grandir.</translation>
    </message>
    <message>
        <source>{type} packs {n} numbers and their scale into {bytes} bytes.</source>
        <translation>{type} range {n} nombres et leur échelle dans {bytes} octets.</translation>
    </message>
    <message>
        <source>Layers of this model differ, or their layout is not known, so there is no single formula.</source>
        <translation>Les couches de ce modèle diffèrent, ou leur structure n’est pas connue&#x202f;: il n’y a donc pas de formule unique.</translation>
    </message>
    <message>
        <source>The next tokens</source>
        <translation>Les prochains jetons</translation>
    </message>
    <message>
        <source>None: the context is full.</source>
        <translation>Aucun&#x202f;: le contexte est plein.</translation>
    </message>
    <message>
        <source>A few pages of text.</source>
        <translation>Quelques pages de texte.</translation>
    </message>
    <message>
        <source>Less than as many times one token, since some layers keep the last tokens only.</source>
        <translation>Moins qu’autant de fois un jeton, car certaines couches ne gardent que les derniers jetons.</translation>
    </message>
    <message>
        <source>The room for them is set aside already: the engine will not grow.</source>
        <translation>Leur place est déjà mise de côté&#x202f;: le moteur ne grandira pas.</translation>
    </message>
    <message>
        <source>Shows when the memory of its device was measured.</source>
        <translation>S’affiche quand la mémoire de son appareil a été mesurée.</translation>
    </message>
    <message>
        <source>So many conversations as long as this one would fit into the {free} that are free on its device; {n} with a full context.</source>
        <translation>Autant de conversations de la longueur de celle-ci tiendraient dans les {free} libres de son appareil&#x202f;; {n} avec un contexte plein.</translation>
    </message>
    <message>
        <source>So many conversations with a full context would fit into the {free} that are free on its device.</source>
        <translation>Autant de conversations au contexte plein tiendraient dans les {free} libres de son appareil.</translation>
    </message>
    <message>
        <source>Conversations that fit</source>
        <translation>Conversations qui tiennent</translation>
    </message>
</context>
<context>
    <name>KvCounts</name>
    <message numerus="yes">
        <source>%Ln layers</source>
        <translation>
            <numerusform>%Ln couche</numerusform>
            <numerusform>%Ln couches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln KV heads</source>
        <translation>
            <numerusform>%Ln tête KV</numerusform>
            <numerusform>%Ln têtes KV</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The next %Ln tokens</source>
        <translation>
            <numerusform>Le %Ln prochain jeton</numerusform>
            <numerusform>Les %Ln prochains jetons</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KvSeenPanel</name>
    <message>
        <source>Which cells of the KV cache hold what, told by the engine after each answer, and the bytes of a token from the model&apos;s own layout: layers x KV heads x head size x 2 (key and value) x bytes of the number format. Layers with a sliding window keep the last tokens only, recurrent layers one state. How much is reserved, and the layout, are taken from what the engine allocated. The last token counts, though the one that ends an answer is never stored: the next request finds one less.</source>
        <translation>Ce que contiennent les cellules du cache KV, indiqué par le moteur après chaque réponse, et les octets d’un jeton d’après la structure propre au modèle&#x202f;: couches x têtes KV x taille de tête x 2 (clé et valeur) x octets du format de nombre. Les couches à fenêtre glissante ne gardent que les derniers jetons, les couches récurrentes un seul état. Ce qui est réservé et la structure viennent de ce que le moteur a alloué. Le dernier jeton compte, bien que celui qui termine une réponse ne soit jamais écrit&#x202f;: la requête suivante en retrouve un de moins.</translation>
    </message>
    <message>
        <source>What the model keeps of everything it has read, and what that costs.</source>
        <translation>Ce que le modèle garde de tout ce qu’il a lu, et ce que cela coûte.</translation>
    </message>
    <message>
        <source>Shows when a model is loaded</source>
        <translation>S’affiche quand un modèle est chargé</translation>
    </message>
    <message>
        <source>of {reserved}</source>
        <translation>sur {reserved}</translation>
    </message>
</context>
<context>
    <name>KvView</name>
    <message>
        <source>All of the KV cache</source>
        <translation>Tout le cache KV</translation>
    </message>
    <message>
        <source>Cells of the KV cache; arrow keys go through them</source>
        <translation>Cellules du cache KV&#x202f;; les flèches les parcourent</translation>
    </message>
    <message>
        <source>What the colours of the cells mean</source>
        <translation>Signification des couleurs des cellules</translation>
    </message>
    <message>
        <source>Tokens of the last request</source>
        <translation>Jetons de la dernière requête</translation>
    </message>
    <message>
        <source>What the colours of the bar mean</source>
        <translation>Signification des couleurs de la barre</translation>
    </message>
    <message>
        <source>Figures of the KV cache</source>
        <translation>Chiffres du cache KV</translation>
    </message>
    <message numerus="yes">
        <source>… and %Ln more empty</source>
        <translation>
            <numerusform>… et %Ln autre vide</numerusform>
            <numerusform>… et %Ln autres vides</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 square = %Ln tokens = {bytes}</source>
        <translation>
            <numerusform>1 carré = %Ln jeton = {bytes}</numerusform>
            <numerusform>1 carré = %Ln jetons = {bytes}</numerusform>
        </translation>
    </message>
    <message>
        <source>What the cells hold</source>
        <translation>Contenu des cellules</translation>
    </message>
    <message>
        <source>What the cells held</source>
        <translation>Contenu avant la mesure</translation>
    </message>
    <message>
        <source>{share} in use</source>
        <translation>{share} en usage</translation>
    </message>
    <message>
        <source>{share} was in use</source>
        <translation>{share} étaient en usage</translation>
    </message>
    <message>
        <source>All of it, to scale</source>
        <translation>Tout le cache, à l’échelle</translation>
    </message>
    <message>
        <source>empty {n}</source>
        <translation>vides {n}</translation>
    </message>
    <message>
        <source>A measurement used them since; the next answer fills them.</source>
        <translation>Mesure faite depuis&#x202f;: la prochaine réponse les remplira.</translation>
    </message>
    <message>
        <source>Not known since watching was measured: the next answer tells.</source>
        <translation>Inconnu depuis la mesure du coût de l’observation&#x202f;: la prochaine réponse le dira.</translation>
    </message>
    <message>
        <source>Point at a square to see what it holds.</source>
        <translation>Pointez un carré pour voir ce qu’il contient.</translation>
    </message>
    <message>
        <source>{n} of {all} prompt tokens reused</source>
        <translation>{n} jetons sur {all} réutilisés</translation>
    </message>
    <message>
        <source>The last request</source>
        <translation>La dernière requête</translation>
    </message>
    <message>
        <source>still to be read</source>
        <translation>encore à lire</translation>
    </message>
    <message>
        <source>pale: reused</source>
        <translation>pâle&#x202f;: réutilisé</translation>
    </message>
</context>
<context>
    <name>LayoutControl</name>
    <message>
        <source>My choice</source>
        <translation>Mon choix</translation>
    </message>
</context>
<context>
    <name>LayoutMenu</name>
    <message>
        <source>Panels shown</source>
        <translation>Panneaux affichés</translation>
    </message>
    <message>
        <source>Reset the order</source>
        <translation>Rétablir l’ordre</translation>
    </message>
    <message>
        <source>Large, with explanations</source>
        <translation>En grand, avec explications</translation>
    </message>
    <message>
        <source>Save this layout…</source>
        <translation>Enregistrer cette disposition…</translation>
    </message>
    <message>
        <source>Save in “{name}”</source>
        <translation>Enregistrer dans «&#xa0;{name}&#xa0;»</translation>
    </message>
    <message>
        <source>Rename “{name}”…</source>
        <translation>Renommer «&#xa0;{name}&#xa0;»…</translation>
    </message>
    <message>
        <source>Delete “{name}”</source>
        <translation>Supprimer «&#xa0;{name}&#xa0;»</translation>
    </message>
    <message>
        <source>Save this layout</source>
        <translation>Enregistrer cette disposition</translation>
    </message>
    <message>
        <source>Rename the layout</source>
        <translation>Renommer la disposition</translation>
    </message>
    <message>
        <source>{panel}: {reason}</source>
        <translation>{panel}&#x202f;: {reason}</translation>
    </message>
</context>
<context>
    <name>LayoutStore</name>
    <message>
        <source>Give it a name.</source>
        <translation>Donnez-lui un nom.</translation>
    </message>
    <message>
        <source>The name is too long.</source>
        <translation>Le nom est trop long.</translation>
    </message>
    <message>
        <source>The name has characters that cannot be shown.</source>
        <translation>Le nom contient des caractères qui ne peuvent pas être affichés.</translation>
    </message>
    <message>
        <source>There is a layout of that name already.</source>
        <translation>Il existe déjà une disposition de ce nom.</translation>
    </message>
</context>
<context>
    <name>Layouts</name>
    <message>
        <source>Essential</source>
        <translation>L’essentiel</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Matériel</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Explications</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Tout</translation>
    </message>
    <message>
        <source>What most people want to see</source>
        <translation>Ce que la plupart des gens veulent voir</translation>
    </message>
    <message>
        <source>What the machine does, and how near it is to its limits</source>
        <translation>Ce que fait la machine, et à quelle distance de ses limites</translation>
    </message>
    <message>
        <source>Larger, with a plain sentence under each figure</source>
        <translation>En plus grand, avec une phrase simple sous chaque mesure</translation>
    </message>
    <message>
        <source>Everything this machine has figures for</source>
        <translation>Tout ce que cette machine mesure</translation>
    </message>
</context>
<context>
    <name>LimitsPanel</name>
    <message>
        <source>Shows when a model is loaded</source>
        <translation>S’affiche quand un modèle est chargé</translation>
    </message>
    <message>
        <source>Shows when this device was measured</source>
        <translation>S’affiche quand ce matériel a été mesuré</translation>
    </message>
    <message>
        <source>what the device allows</source>
        <translation>ce que permet le matériel</translation>
    </message>
    <message>
        <source>reading (prefill)</source>
        <translation>lecture (préremplissage)</translation>
    </message>
    <message>
        <source>writing (decode)</source>
        <translation>écriture (décodage)</translation>
    </message>
    <message>
        <source>decode, of what memory allows</source>
        <translation>décodage, de ce que permet la mémoire</translation>
    </message>
    <message>
        <source>↑ GFLOP/s</source>
        <translation>↑ GFLOP/s</translation>
    </message>
    <message>
        <source>operations for each byte read →</source>
        <translation>opérations par octet lu →</translation>
    </message>
    <message>
        <source>A roofline. Decode reads all weights and the KV cache for each token, so memory bandwidth is its limit: bandwidth / (bytes of weights + of KV cache). Prefill works on many tokens each time it reads the weights, so computing is its limit. Under the slope memory limits, under the flat part computing does. To the right: operations per byte read; upwards: operations per second (GFLOP/s: thousand millions of them), two for each weight, without those of attention. In brackets stands the number format that was measured: int8 are whole numbers of 8 bits, float16 and float32 are numbers of 16 and 32. Both limits are the best this device reached when it was measured: reading a large buffer, multiplying large matrices. A small quantized model stays well below, since unpacking its weights takes time. Blank where a GPU and the processor share the layers: each has limits of its own.</source>
        <translation>Un diagramme «&#xa0;roofline&#xa0;». Le décodage lit tous les poids et le cache KV pour chaque jeton&#x202f;: la bande passante de la mémoire est sa limite, bande passante / (octets des poids + du cache KV). Le préremplissage traite beaucoup de jetons à chaque lecture des poids&#x202f;: le calcul est sa limite. Sous la pente, la mémoire limite&#x202f;; sous le plateau, le calcul. Vers la droite&#x202f;: opérations par octet lu&#x202f;; vers le haut&#x202f;: opérations par seconde (GFLOP/s&#x202f;: milliards d’opérations par seconde), deux par poids, sans celles de l’attention. Entre parenthèses, le format des nombres mesuré&#x202f;: int8, des entiers de 8 bits&#x202f;; float16 et float32, des nombres de 16 et de 32 bits. Les deux limites sont ce que ce matériel a atteint de mieux quand il a été mesuré&#x202f;: lecture d’un grand tampon, produits de grandes matrices. Un petit modèle quantifié reste bien au-dessous, car déballer ses poids prend du temps. Vide si un GPU et le processeur se partagent les couches&#x202f;: chacun a ses propres limites.</translation>
    </message>
    <message>
        <source>How near the model comes to the best of this device: writing the answer waits for memory, as each token needs all weights, reading the prompt for computing.</source>
        <translation>À quel point le modèle approche du mieux que puisse ce matériel&#x202f;: l’écriture de la réponse attend la mémoire, car chaque jeton demande tous les poids, et la lecture du prompt attend le calcul.</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>préremplissage</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>décodage</translation>
    </message>
    <message>
        <source>prefill {share} of what memory allows</source>
        <translation>préremplissage {share} de ce que permet la mémoire</translation>
    </message>
    <message>
        <source>prefill {share} of what computing allows</source>
        <translation>préremplissage {share} de ce que permet le calcul</translation>
    </message>
    <message>
        <source>{n} operations per byte</source>
        <translation>{n} opérations par octet</translation>
    </message>
    <message>
        <source>{rate} of {limit}</source>
        <translation>{rate} sur {limit}</translation>
    </message>
    <message>
        <source>computing: {rate} ({format})</source>
        <translation>calcul&#x202f;: {rate} ({format})</translation>
    </message>
    <message>
        <source>Measuring, which takes a few seconds…</source>
        <translation>Mesure en cours, quelques secondes…</translation>
    </message>
    <message>
        <source>{bandwidth} read, measured {date}. Too low to compare with: other work took {share} of the processor meanwhile.</source>
        <translation>{bandwidth} en lecture, mesuré le {date}. Trop bas&#x202f;: d’autres tâches ont pris {share} du processeur.</translation>
    </message>
    <message>
        <source>{bandwidth} read, measured {date}</source>
        <translation>{bandwidth} en lecture, mesuré le {date}</translation>
    </message>
    <message>
        <source>Not measured: too little memory is free. Close something.</source>
        <translation>Non mesuré&#x202f;: trop peu de mémoire libre. Fermez une application.</translation>
    </message>
    <message>
        <source>Not measured: a GPU is measured with PyTorch, which is not there.</source>
        <translation>Non mesuré&#x202f;: un GPU se mesure avec PyTorch, qui n’est pas installé.</translation>
    </message>
    <message>
        <source>Not measured: PyTorch does not see this device.</source>
        <translation>Non mesuré&#x202f;: PyTorch ne voit pas ce matériel.</translation>
    </message>
    <message>
        <source>Not measured: it failed. The log of the window says why.</source>
        <translation>Non mesuré&#x202f;: échec. Le journal de la fenêtre en dit la raison.</translation>
    </message>
    <message>
        <source>Not measured: a model began to answer or to load meanwhile.</source>
        <translation>Non mesuré&#x202f;: un modèle a commencé entre-temps à répondre ou à se charger.</translation>
    </message>
    <message>
        <source>Not measured again: other work took the processor. The earlier result stays.</source>
        <translation>Pas mesuré à nouveau&#x202f;: d’autres tâches occupaient le processeur. Le résultat précédent reste.</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Mesurer à nouveau</translation>
    </message>
    <message>
        <source>Measure this device</source>
        <translation>Mesurer ce matériel</translation>
    </message>
    <message>
        <source>Not while a model answers or loads: each would slow the other down.</source>
        <translation>Pas pendant qu’un modèle répond ou se charge&#x202f;: l’un ralentirait l’autre.</translation>
    </message>
    <message>
        <source>Takes a few seconds and all cores, and is kept for later.</source>
        <translation>Prend quelques secondes et tous les cœurs, et le résultat est gardé.</translation>
    </message>
</context>
<context>
    <name>LinkDialog</name>
    <message>
        <source>Open this link?</source>
        <translation>Ouvrir ce lien&#x202f;?</translation>
    </message>
    <message>
        <source>A model wrote this link. It leads to:</source>
        <translation>Un modèle a écrit ce lien. Il mène à&#x202f;:</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>Ouvrir dans le navigateur</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>Copier l’adresse</translation>
    </message>
</context>
<context>
    <name>LivePanel</name>
    <message>
        <source>Graph: {name}</source>
        <translation>Graphique&#x202f;: {name}</translation>
    </message>
    <message>
        <source>time →</source>
        <translation>temps →</translation>
    </message>
    <message>
        <source>Shows while an answer runs</source>
        <translation>S’affiche pendant une réponse</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>Détacher</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Plein écran</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Monter</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Descendre</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Masquer</translation>
    </message>
    <message>
        <source>Dock</source>
        <translation>Rattacher</translation>
    </message>
</context>
<context>
    <name>LoadStrip</name>
    <message>
        <source>Load progress</source>
        <translation>Avancement du chargement</translation>
    </message>
    <message>
        <source>Cancel loading</source>
        <translation>Annuler le chargement</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Chargement</translation>
    </message>
    <message>
        <source>Loading PyTorch</source>
        <translation>Chargement de PyTorch</translation>
    </message>
    <message>
        <source>Converting the weights, once</source>
        <translation>Conversion des poids, une seule fois</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>Lecture du modèle</translation>
    </message>
    <message>
        <source>Making room for the context</source>
        <translation>Allocation du contexte</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>Préchauffage</translation>
    </message>
    <message>
        <source>Compiling for this device, once</source>
        <translation>Compilation pour cet appareil, une seule fois</translation>
    </message>
    <message>
        <source>Measuring which number of threads is fastest</source>
        <translation>Recherche du nombre de threads le plus rapide</translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation>Démarrage du moteur</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Oscillama</source>
        <translation>Oscillama</translation>
    </message>
</context>
<context>
    <name>MapView</name>
    <message>
        <source>Shows when the machine was measured</source>
        <translation>S’affiche quand la machine a été mesurée</translation>
    </message>
</context>
<context>
    <name>MemoryMap</name>
    <message>
        <source>Weights</source>
        <translation>Poids</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>Cache KV</translation>
    </message>
    <message>
        <source>Compute buffers</source>
        <translation>Tampons de calcul</translation>
    </message>
    <message>
        <source>Rest of Oscillama</source>
        <translation>Le reste d’Oscillama</translation>
    </message>
    <message>
        <source>Other processes</source>
        <translation>Autres processus</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Libre</translation>
    </message>
    <message>
        <source>Programs, libraries and what they work with: {engine} in the engine, {window} in this window and in what measures.</source>
        <translation>Programmes, bibliothèques et leurs données de travail&#x202f;: {engine} dans le moteur, {window} dans cette fenêtre et dans ce qui mesure.</translation>
    </message>
    <message>
        <source>On a GPU that is not measured</source>
        <translation>Sur un GPU qui n’est pas mesuré</translation>
    </message>
    <message>
        <source>As the engine reports it. Only NVIDIA&apos;s driver is asked what a GPU holds, so the rest of it is not known here.</source>
        <translation>D’après le moteur. Seul le pilote de NVIDIA est interrogé sur la mémoire d’un GPU&#x202f;: le reste n’est donc pas connu ici.</translation>
    </message>
    <message>
        <source>Reserved, not yet in memory</source>
        <translation>Réservé, pas encore en mémoire</translation>
    </message>
    <message>
        <source>A system hands memory out when it is first written. What the engine reserved and never wrote counts for nothing, so that “Device memory” is less than the sum of what is reserved.</source>
        <translation>Un système donne la mémoire à la première écriture. Ce que le moteur a réservé sans jamais l’écrire ne compte pas&#x202f;: «&#xa0;Mémoire de l’appareil&#xa0;» est donc inférieure à la somme de ce qui est réservé.</translation>
    </message>
    <message>
        <source>Weights mapped from their file</source>
        <translation>Poids projetés depuis leur fichier</translation>
    </message>
    <message>
        <source>They count as far as they were read. The system may drop them when others need room, and read them again, so it calls them available; here they are counted as weights.</source>
        <translation>Ils comptent dans la mesure où ils ont été lus. Le système peut les retirer quand d’autres ont besoin de place, puis les relire&#x202f;: il les dit donc disponibles. Ici, ils comptent comme poids.</translation>
    </message>
    <message>
        <source>What the parts are</source>
        <translation>Ce que sont ces parties</translation>
    </message>
    <message>
        <source>Weights are what the model has learned, the KV cache is its notes on this conversation, and compute buffers are scratch paper for its sums.</source>
        <translation>Les poids sont ce que le modèle a appris, le cache KV ses notes sur cette conversation, et les tampons de calcul le brouillon de ses calculs.</translation>
    </message>
    <message>
        <source>Not predicted</source>
        <translation>Non prévu</translation>
    </message>
    <message>
        <source>This engine takes memory for it as answers need it, so the model&apos;s file does not tell how much that will be.</source>
        <translation>Ce moteur prend cette mémoire selon les besoins des réponses, si bien que le fichier du modèle ne dit pas combien il en faudra.</translation>
    </message>
    <message>
        <source>Spread over several GPUs</source>
        <translation>Réparti sur plusieurs GPU</translation>
    </message>
    <message>
        <source>The engine does not tell which of its weights, KV cache and compute buffers are on which GPU, so here all of it counts as the rest of Oscillama.</source>
        <translation>Le moteur ne dit pas lesquels de ses poids, de son cache KV et de ses tampons de calcul sont sur quel GPU&#x202f;: ici, tout compte comme le reste d’Oscillama.</translation>
    </message>
</context>
<context>
    <name>MemoryMapPanel</name>
    <message>
        <source>For each device: weights, KV cache and compute buffers as the engine reports them, what else the engine, the window and what measures hold, other processes with the system, and what is free. Predicted is computed from the model&apos;s file before the memory is taken, reserved is what the engine asked for, in memory is what the system (RSS) or the driver (NVML) counts now. Memory is given only when it is first written, and weights that are mapped from their file are in memory as far as they were read: so less can be in memory than is reserved.</source>
        <translation>Pour chaque appareil&#x202f;: poids, cache KV et tampons de calcul d’après le moteur, ce que le moteur, la fenêtre et ce qui mesure tiennent en plus, les autres processus avec le système, et ce qui est libre. «&#xa0;Prévue&#xa0;» est calculé d’après le fichier du modèle avant que la mémoire soit prise, «&#xa0;réservée&#xa0;» est ce que le moteur a demandé, «&#xa0;en mémoire&#xa0;» est ce que le système (RSS) ou le pilote (NVML) compte maintenant. La mémoire n’est donnée qu’à la première écriture, et les poids projetés depuis leur fichier ne sont en mémoire que dans la mesure où ils ont été lus&#x202f;: il peut donc y en avoir moins en mémoire que réservé.</translation>
    </message>
    <message>
        <source>Who holds the memory of this machine and of its GPUs, and what is left.</source>
        <translation>Qui occupe la mémoire de cette machine et de ses GPU, et ce qui reste.</translation>
    </message>
    <message>
        <source>Oscillama, of {total} in {device}</source>
        <translation>Oscillama, sur {total} dans {device}</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>cette machine</translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>Resident memory (RSS) of the engine process. llama.cpp maps the weights from the model file, and they count as far as they were read. Weights, KV cache and compute buffers are what the engine reserved; a system gives memory only when it is first written, so their sum may be more than the RSS: the memory map shows the difference. “Other” is the rest of the RSS. At the upper right: memory of the whole machine that is in use. Measured four times a second while an answer runs.</source>
        <translation>Mémoire résidente (RSS) du processus du moteur. llama.cpp projette les poids depuis le fichier du modèle, et ils comptent dans la mesure où ils ont été lus. Les poids, le cache KV et les tampons de calcul sont ce que le moteur a réservé&#x202f;; un système ne donne la mémoire qu’à la première écriture, leur somme peut donc dépasser la RSS&#x202f;: la carte de la mémoire montre la différence. «&#xa0;Autre&#xa0;» est le reste de la RSS. En haut à droite&#x202f;: mémoire utilisée de toute la machine. Mesuré quatre fois par seconde pendant une réponse.</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>poids</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>cache KV</translation>
    </message>
    <message>
        <source>room to compute</source>
        <translation>place de calcul</translation>
    </message>
    <message>
        <source>other</source>
        <translation>autre</translation>
    </message>
    <message>
        <source>How much memory the model takes: the weights are what it has learned, the cache is what it remembers of this conversation.</source>
        <translation>La mémoire que prend le modèle&#x202f;: les poids sont ce qu’il a appris, le cache ce qu’il retient de cette conversation.</translation>
    </message>
    <message>
        <source>whole machine {used} of {all}</source>
        <translation>toute la machine {used} sur {all}</translation>
    </message>
</context>
<context>
    <name>MemoryParts</name>
    <message>
        <source>weights</source>
        <translation>poids</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>calcul</translation>
    </message>
    <message>
        <source>other</source>
        <translation>autre</translation>
    </message>
</context>
<context>
    <name>MessageCard</name>
    <message>
        <source>Technical details</source>
        <translation>Détails techniques</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Détails</translation>
    </message>
    <message>
        <source>Show technical details</source>
        <translation>Afficher les détails techniques</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Fermer</translation>
    </message>
</context>
<context>
    <name>MessageEditor</name>
    <message>
        <source>Edit the message</source>
        <translation>Modifier le message</translation>
    </message>
    <message>
        <source>Edit the answer</source>
        <translation>Modifier la réponse</translation>
    </message>
    <message>
        <source>Enter saves, Shift and Enter break the line, Escape leaves it as it was</source>
        <translation>Entrée enregistre, Maj et Entrée vont à la ligne, Échap la laisse telle qu’elle était</translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter break the line, Escape leaves it as it was</source>
        <translation>Entrée envoie, Maj et Entrée vont à la ligne, Échap le laisse tel qu’il était</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Envoyer</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Enregistrer</translation>
    </message>
    <message>
        <source>Leave the answer as it was</source>
        <translation>Laisser la réponse telle qu’elle était</translation>
    </message>
    <message>
        <source>Keep the edited answer as a variant</source>
        <translation>Garder la réponse modifiée comme variante</translation>
    </message>
    <message>
        <source>Send the edited message</source>
        <translation>Envoyer le message modifié</translation>
    </message>
    <message>
        <source>{keys} saves</source>
        <translation>{keys} enregistre</translation>
    </message>
    <message>
        <source>{keys} sends</source>
        <translation>{keys} envoie</translation>
    </message>
    <message>
        <source>{keys} breaks the line</source>
        <translation>{keys} va à la ligne</translation>
    </message>
    <message>
        <source>{keys} cancels</source>
        <translation>{keys} annule</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Leave the message as it was</source>
        <translation>Laisser le message tel qu’il était</translation>
    </message>
    <message>
        <source>An answer is running. Wait for it, or stop it first.</source>
        <translation>Une réponse est en cours. Attendez-la, ou arrêtez-la d’abord.</translation>
    </message>
</context>
<context>
    <name>MessageField</name>
    <message>
        <source>Ask something…</source>
        <translation>Posez une question…</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Message</translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter break the line, Escape stops the answer</source>
        <translation>Entrée envoie, Maj et Entrée vont à la ligne, Échap arrête la réponse</translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>Nothing to send yet</source>
        <translation>Rien à envoyer pour l’instant</translation>
    </message>
    <message>
        <source>Type a message first, then press Enter.</source>
        <translation>Saisissez d’abord un message, puis appuyez sur Entrée.</translation>
    </message>
    <message>
        <source>Nothing is left of the answer</source>
        <translation>Il ne reste rien de la réponse</translation>
    </message>
    <message>
        <source>Keep some words, so that the model can go on from them, or press Escape.</source>
        <translation>Gardez quelques mots pour que le modèle puisse continuer à partir d’eux, ou appuyez sur Échap.</translation>
    </message>
    <message>
        <source>Still answering</source>
        <translation>Réponse en cours</translation>
    </message>
    <message>
        <source>The model answers one message at a time. Your text stays here: send it when the answer is done, or stop the answer first.</source>
        <translation>Le modèle répond à un message à la fois. Votre texte reste ici&#x202f;: envoyez-le une fois la réponse terminée, ou arrêtez d’abord la réponse.</translation>
    </message>
    <message>
        <source>The variant was deleted</source>
        <translation>La variante a été supprimée</translation>
    </message>
    <message>
        <source>What followed it went with it.</source>
        <translation>Ce qui la suivait est parti avec elle.</translation>
    </message>
    <message>
        <source>No model is loaded</source>
        <translation>Aucun modèle n’est chargé</translation>
    </message>
    <message>
        <source>Open a model file (GGUF) or a model folder to chat with. Your text stays here.</source>
        <translation>Ouvrez un fichier de modèle (GGUF) ou un dossier de modèle pour discuter. Votre texte reste ici.</translation>
    </message>
    <message>
        <source>The live samples were interrupted</source>
        <translation>Les mesures en direct ont été interrompues</translation>
    </message>
    <message>
        <source>The process that reads memory, CPU and GPU ended and was started again; the graphs have a gap. The chat is not affected. If GPU graphs stay empty, the driver is the likely cause.</source>
        <translation>Le processus qui relève la mémoire, le CPU et le GPU s’est arrêté et a été relancé&#x202f;; les graphiques ont un trou. La conversation n’est pas touchée. Si les graphiques du GPU restent vides, le pilote en est la cause probable.</translation>
    </message>
    <message>
        <source>The live panels cannot be shown</source>
        <translation>Les panneaux en direct ne peuvent pas être affichés</translation>
    </message>
    <message>
        <source>Something went wrong while the live panels were made; the log of the window says what. Chats are not affected. Start Oscillama again to try once more.</source>
        <translation>Un problème est survenu pendant la création des panneaux en direct&#x202f;; le journal de la fenêtre dit lequel. Les conversations ne sont pas touchées. Redémarrez Oscillama pour réessayer.</translation>
    </message>
    <message>
        <source>{wanted} is not writable, so logs go to {used} and may be gone after a restart. Check that the folder is yours and that the disk is not full.</source>
        <translation>{wanted} n’est pas accessible en écriture&#x202f;: les journaux vont dans {used} et peuvent disparaître au redémarrage. Vérifiez que le dossier vous appartient et que le disque n’est pas plein.</translation>
    </message>
    <message>
        <source>Logs are kept elsewhere</source>
        <translation>Les journaux sont gardés ailleurs</translation>
    </message>
    <message>
        <source>Your presets were damaged</source>
        <translation>Vos préréglages étaient endommagés</translation>
    </message>
    <message>
        <source>{path} could not be understood. It was moved to {moved_to}, and the presets that come with Oscillama are there. Nothing else is affected.</source>
        <translation>{path} n’a pas pu être compris. Il a été déplacé vers {moved_to}, et les préréglages fournis avec Oscillama sont là. Rien d’autre n’est touché.</translation>
    </message>
    <message>
        <source>Your presets could not be read</source>
        <translation>Vos préréglages n’ont pas pu être lus</translation>
    </message>
    <message>
        <source>{path} could not be read ({reason}). It was left alone, so presets cannot be changed now. Check that the file is yours and of this version, then start Oscillama again.</source>
        <translation>{path} n’a pas pu être lu ({reason}). Il a été laissé tel quel&#x202f;: les préréglages ne peuvent donc pas être modifiés pour l’instant. Vérifiez que le fichier est le vôtre et de cette version, puis relancez Oscillama.</translation>
    </message>
    <message>
        <source>The model in use stays as it is.</source>
        <translation>Le modèle en cours reste tel quel.</translation>
    </message>
    <message>
        <source>This is not a model file</source>
        <translation>Ce n’est pas un fichier de modèle</translation>
    </message>
    <message>
        <source>The model file is incomplete</source>
        <translation>Le fichier du modèle est incomplet</translation>
    </message>
    <message>
        <source>The model is not there</source>
        <translation>Le modèle est introuvable</translation>
    </message>
    <message>
        <source>Nothing was found at {path}. It may have been moved, or its disk is not connected. Choose it again.</source>
        <translation>Rien n’a été trouvé à l’emplacement {path}. Le modèle a pu être déplacé, ou son disque n’est pas connecté. Choisissez-le de nouveau.</translation>
    </message>
    <message>
        <source>The model cannot be read</source>
        <translation>Le modèle ne peut pas être lu</translation>
    </message>
    <message>
        <source>{path} is not a file or folder that can be read. Check what it is, and its permissions, then try again.</source>
        <translation>{path} n’est pas un fichier ou un dossier lisible. Vérifiez ce que c’est, ainsi que ses droits d’accès, puis réessayez.</translation>
    </message>
    <message>
        <source>{path} is not in the GGUF format. Choose a file whose name ends in .gguf, or a folder of safetensors; if this one should be right, download it again.</source>
        <translation>{path} n’est pas au format GGUF. Choisissez un fichier dont le nom se termine par .gguf, ou un dossier de safetensors&#x202f;; si celui-ci devrait convenir, téléchargez-le de nouveau.</translation>
    </message>
    <message>
        <source>{path} should have at least {need_bytes} but has {have_bytes}. The download was probably cut off: download it again, then open it.</source>
        <translation>{path} devrait faire au moins {need_bytes} mais fait {have_bytes}. Le téléchargement a sans doute été interrompu&#x202f;: téléchargez-le à nouveau, puis ouvrez-le.</translation>
    </message>
    <message>
        <source>This is not a chat model</source>
        <translation>Ce n’est pas un modèle de conversation</translation>
    </message>
    <message>
        <source>This kind of model is not known here</source>
        <translation>Ce type de modèle n’est pas pris en charge</translation>
    </message>
    <message>
        <source>The file is for the architecture “{architecture}”, which this version of llama.cpp cannot run. Choose another model, or update Oscillama.</source>
        <translation>Le fichier est prévu pour l’architecture «&#xa0;{architecture}&#xa0;», que cette version de llama.cpp ne peut pas exécuter. Choisissez un autre modèle, ou mettez Oscillama à jour.</translation>
    </message>
    <message>
        <source>The model is of the architecture “{architecture}”, which the installed transformers library cannot run with PyTorch; code that comes with a model is never run. Choose another model or, for a GGUF file, llama.cpp in the engine settings.</source>
        <translation>Le modèle est de l’architecture «&#xa0;{architecture}&#xa0;», que la bibliothèque transformers installée ne peut pas exécuter avec PyTorch&#x202f;; le code qui accompagne un modèle n’est jamais exécuté. Choisissez un autre modèle ou, pour un fichier GGUF, llama.cpp dans les réglages du moteur.</translation>
    </message>
    <message>
        <source>PyTorch reads a GGUF model from one file, and this one is split over several. Merge them with “llama-gguf-split --merge”, or choose llama.cpp in the engine settings.</source>
        <translation>PyTorch lit un modèle GGUF dans un seul fichier, et celui-ci est réparti sur plusieurs. Réunissez-les avec «&#xa0;llama-gguf-split --merge&#xa0;», ou choisissez llama.cpp dans les réglages du moteur.</translation>
    </message>
    <message>
        <source>This folder is not a model</source>
        <translation>Ce dossier n’est pas un modèle</translation>
    </message>
    <message>
        <source>{path} has no config.json, which says how a model is built. Choose the folder that has one beside the weights, or download the model again.</source>
        <translation>{path} n’a pas de config.json, qui dit comment un modèle est construit. Choisissez le dossier qui en a un à côté des poids, ou téléchargez le modèle de nouveau.</translation>
    </message>
    <message>
        <source>The weights are missing</source>
        <translation>Il manque les poids</translation>
    </message>
    <message>
        <source>{path} describes a model but does not hold its weights (.safetensors). Download the whole model, or choose the folder that has them.</source>
        <translation>{path} décrit un modèle mais ne contient pas ses poids (.safetensors). Téléchargez le modèle en entier, ou choisissez le dossier qui les contient.</translation>
    </message>
    <message>
        <source>These weights are not safe to open</source>
        <translation>Ouvrir ces poids n’est pas sûr</translation>
    </message>
    <message>
        <source>{path} has its weights only in a format that can run code when it is opened ({file}), so they were left closed. Get this model as safetensors or GGUF.</source>
        <translation>{path} n’a ses poids que dans un format qui peut exécuter du code à l’ouverture ({file})&#x202f;; ils n’ont donc pas été ouverts. Procurez-vous ce modèle en safetensors ou en GGUF.</translation>
    </message>
    <message>
        <source>The model&apos;s configuration cannot be read</source>
        <translation>La configuration du modèle ne peut pas être lue</translation>
    </message>
    <message>
        <source>{file} in {path} is damaged or not what it should be ({reason}). Download the model again, or choose another one.</source>
        <translation>{file} dans {path} est endommagé ou n’est pas ce qu’il devrait être ({reason}). Téléchargez le modèle de nouveau, ou choisissez-en un autre.</translation>
    </message>
    <message>
        <source>The weights do not fit the configuration</source>
        <translation>Les poids ne correspondent pas à la configuration</translation>
    </message>
    <message>
        <source>The files in {path} contradict each other ({reason}). They may be of two versions of the model, or a download was cut off: download it whole again.</source>
        <translation>Les fichiers de {path} se contredisent ({reason}). Ils viennent peut-être de deux versions du modèle, ou un téléchargement a été interrompu&#x202f;: téléchargez-le de nouveau en entier.</translation>
    </message>
    <message>
        <source>The tokenizer cannot be read</source>
        <translation>Le tokenizer ne peut pas être lu</translation>
    </message>
    <message>
        <source>What turns text into tokens is missing or damaged in {path} ({reason}). Download the model again with its tokenizer, or choose another one.</source>
        <translation>Ce qui transforme le texte en jetons manque ou est endommagé dans {path} ({reason}). Téléchargez de nouveau le modèle avec son tokenizer, ou choisissez-en un autre.</translation>
    </message>
    <message>
        <source>It holds a part or a kind of model (“{architecture}”) that cannot answer on its own. Choose the language model itself.</source>
        <translation>Il contient une partie ou un type de modèle («&#xa0;{architecture}&#xa0;») qui ne peut pas répondre seul. Choisissez le modèle de langage lui-même.</translation>
    </message>
    <message>
        <source>There was nothing to answer</source>
        <translation>Il n’y avait rien à quoi répondre</translation>
    </message>
    <message>
        <source>The prompt came out empty. Type a message, then send it.</source>
        <translation>Le prompt obtenu est vide. Saisissez un message, puis envoyez-le.</translation>
    </message>
    <message>
        <source>The conversation no longer fits</source>
        <translation>La conversation ne tient plus dans le contexte</translation>
    </message>
    <message>
        <source>The model&apos;s chat template refused this conversation</source>
        <translation>Le gabarit de conversation du modèle a refusé cet échange</translation>
    </message>
    <message>
        <source>The template that comes with the model failed: {reason} Try a new chat, or another model.</source>
        <translation>Le gabarit fourni avec le modèle a échoué&#x202f;: {reason} Essayez un nouveau chat, ou un autre modèle.</translation>
    </message>
    <message>
        <source>It reported an error while computing; the details have its own words. What had arrived is kept. Try again, or load the model again.</source>
        <translation>Il a signalé une erreur pendant le calcul&#x202f;; les détails reprennent ses propres termes. Ce qui était arrivé est conservé. Réessayez, ou rechargez le modèle.</translation>
    </message>
    <message>
        <source>The engine could not go on</source>
        <translation>Le moteur n’a pas pu continuer</translation>
    </message>
    <message>
        <source>The engine is busy</source>
        <translation>Le moteur est occupé</translation>
    </message>
    <message>
        <source>It works on something else. Wait for it, or stop it, then try again.</source>
        <translation>Il travaille à autre chose. Attendez-le ou arrêtez-le, puis réessayez.</translation>
    </message>
    <message>
        <source>No model was there to answer</source>
        <translation>Aucun modèle n’était là pour répondre</translation>
    </message>
    <message>
        <source>The model did not load, so this message was not answered. Load one, then try again.</source>
        <translation>Le modèle ne s’est pas chargé, ce message est donc resté sans réponse. Chargez-en un, puis réessayez.</translation>
    </message>
    <message>
        <source>The last message and the system prompt take {n_prompt} tokens, and the context holds {n_ctx}. Nothing was cut or lost. Shorten them, or load the model with a larger context.</source>
        <translation>Le dernier message et le prompt système prennent {n_prompt} jetons, et le contexte en contient {n_ctx}. Rien n’a été coupé ni perdu. Raccourcissez-les, ou chargez le modèle avec un contexte plus grand.</translation>
    </message>
    <message>
        <source>It takes {n_prompt} tokens, and the context holds {n_ctx}. Nothing was cut or lost. Leave out the oldest turns, which stay on screen but are no longer seen by the model, shorten the message, start a new chat, or load the model with a larger context.</source>
        <translation>Elle prend {n_prompt} jetons, et le contexte en contient {n_ctx}. Rien n’a été coupé ni perdu. Omettez les tours les plus anciens, qui restent à l’écran mais que le modèle ne voit plus, raccourcissez le message, ouvrez un nouveau chat ou chargez le modèle avec un contexte plus grand.</translation>
    </message>
    <message>
        <source>Loading was stopped</source>
        <translation>Le chargement a été arrêté</translation>
    </message>
    <message>
        <source>No model is loaded. Load it again, or open another one.</source>
        <translation>Aucun modèle n’est chargé. Rechargez-le, ou ouvrez-en un autre.</translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation>Mémoire insuffisante</translation>
    </message>
    <message>
        <source>The context could not be created</source>
        <translation>Le contexte n’a pas pu être créé</translation>
    </message>
    <message>
        <source>The engine is not installed</source>
        <translation>Le moteur n’est pas installé</translation>
    </message>
    <message>
        <source>The library that runs this model is missing. Run “make run” again to install it.</source>
        <translation>La bibliothèque qui exécute ce modèle est absente. Relancez «&#xa0;make run&#xa0;» pour l’installer.</translation>
    </message>
    <message>
        <source>The engine could not be started</source>
        <translation>Le moteur n’a pas pu démarrer</translation>
    </message>
    <message>
        <source>The system refused to start its process; the details say why. Close other programs or free disk space, then load the model again.</source>
        <translation>Le système a refusé de démarrer son processus&#x202f;; les détails disent pourquoi. Fermez d’autres programmes ou libérez de l’espace disque, puis chargez à nouveau le modèle.</translation>
    </message>
    <message>
        <source>The engine did not stop in time</source>
        <translation>Le moteur ne s’est pas arrêté à temps</translation>
    </message>
    <message>
        <source>It was ended and is being started again. What had arrived is kept.</source>
        <translation>Il a été interrompu et redémarre. Ce qui était arrivé est conservé.</translation>
    </message>
    <message>
        <source>The model could not be loaded</source>
        <translation>Le modèle n’a pas pu être chargé</translation>
    </message>
    <message>
        <source>Something went wrong inside the engine</source>
        <translation>Une erreur s’est produite dans le moteur</translation>
    </message>
    <message>
        <source>This is a fault of Oscillama; the details say more. The conversation is kept. Try again, or load the model again.</source>
        <translation>C’est un défaut d’Oscillama&#x202f;; les détails en disent plus. La conversation est conservée. Réessayez, ou rechargez le modèle.</translation>
    </message>
    <message>
        <source>Another program, or the system, ended it ({signal}). Load the model again.</source>
        <translation>Un autre programme, ou le système, l’a arrêté ({signal}). Chargez à nouveau le modèle.</translation>
    </message>
    <message>
        <source>The system ended it ({signal}), most often because memory ran out. Choose a smaller context or model, or close other programs.</source>
        <translation>Le système l’a interrompu ({signal}), le plus souvent par manque de mémoire. Choisissez un contexte ou un modèle plus petit, ou fermez d’autres programmes.</translation>
    </message>
    <message>
        <source>PyTorch is not installed</source>
        <translation>PyTorch n’est pas installé</translation>
    </message>
    <message>
        <source>This model runs on PyTorch, which is large and so comes only when it is asked for. Install it with the button below, or with “make run TORCH=1” in a terminal. Then the model is loaded again.</source>
        <translation>Ce modèle s’exécute avec PyTorch, qui est volumineux et n’est donc installé que sur demande. Installez-le avec le bouton ci-dessous, ou avec «&#xa0;make run TORCH=1&#xa0;» dans un terminal. Le modèle est ensuite chargé de nouveau.</translation>
    </message>
    <message>
        <source>The engine refused these settings for this model. Choose a smaller context or other settings.</source>
        <translation>Le moteur a refusé ces réglages pour ce modèle. Choisissez un contexte plus petit ou d’autres réglages.</translation>
    </message>
    <message>
        <source>This number format cannot be used</source>
        <translation>Ce format des nombres est inutilisable</translation>
    </message>
    <message>
        <source>The device “{device}” does not compute in {dtype}. Choose Auto or float32 in the engine settings, then load the model again.</source>
        <translation>L’appareil «&#xa0;{device}&#xa0;» ne calcule pas en {dtype}. Choisissez Auto ou float32 dans les réglages du moteur, puis chargez à nouveau le modèle.</translation>
    </message>
    <message>
        <source>This device cannot be used</source>
        <translation>Cet appareil est inutilisable</translation>
    </message>
    <message>
        <source>PyTorch has no device “{device}” here ({reason}). Choose Auto or another device in the engine settings, then load the model again.</source>
        <translation>PyTorch ne trouve ici aucun appareil «&#xa0;{device}&#xa0;» ({reason}). Choisissez Auto ou un autre appareil dans les réglages du moteur, puis chargez à nouveau le modèle.</translation>
    </message>
    <message>
        <source>PyTorch does not load</source>
        <translation>PyTorch ne se charge pas</translation>
    </message>
    <message>
        <source>It is installed, and cannot be used as it is ({reason}). “make clean” and then “make run TORCH=1” in a terminal install everything afresh.</source>
        <translation>Il est installé, et inutilisable tel quel ({reason}). «&#xa0;make clean&#xa0;» puis «&#xa0;make run TORCH=1&#xa0;» dans un terminal réinstallent tout.</translation>
    </message>
    <message>
        <source>The engine refused it; the details have its own words. Try again, or choose another model.</source>
        <translation>Le moteur l’a refusé&#x202f;; les détails reprennent ses propres termes. Réessayez, ou choisissez un autre modèle.</translation>
    </message>
    <message>
        <source>It found an inner contradiction and gave up; the details have its last words. Try other settings, or another model.</source>
        <translation>Il a rencontré une contradiction interne et a abandonné&#x202f;; les détails donnent ses derniers messages. Essayez d’autres réglages, ou un autre modèle.</translation>
    </message>
    <message>
        <source>The model file changed or its disk went away while it was in use. Check the file, then load it again.</source>
        <translation>Le fichier du modèle a changé ou son disque a disparu pendant son utilisation. Vérifiez le fichier, puis rechargez-le.</translation>
    </message>
    <message>
        <source>It crashed; the details have its last words. Load the model again.</source>
        <translation>Il a planté&#x202f;; les détails donnent ses derniers messages. Rechargez le modèle.</translation>
    </message>
    <message>
        <source>What had arrived is kept, and sending again starts it anew.</source>
        <translation>Ce qui était arrivé est conservé, et un nouvel envoi le redémarre.</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly</source>
        <translation>Le moteur s’est arrêté de façon inattendue</translation>
    </message>
    <message>
        <source>Choose a smaller context or a smaller KV type, close other programs, or open a smaller model.</source>
        <translation>Choisissez un contexte plus petit ou un type KV plus compact, fermez d’autres programmes ou ouvrez un modèle plus petit.</translation>
    </message>
    <message>
        <source>Choose a smaller context or a smaller number format, close other programs, or open a smaller model.</source>
        <translation>Choisissez un contexte plus petit ou un format des nombres plus compact, fermez d’autres programmes ou ouvrez un modèle plus petit.</translation>
    </message>
    <message>
        <source>Choose a smaller context, a smaller number format or the CPU, close other programs, or open a smaller model.</source>
        <translation>Choisissez un contexte plus petit, un format des nombres plus compact ou le CPU, fermez d’autres programmes ou ouvrez un modèle plus petit.</translation>
    </message>
    <message>
        <source>This model with this context needs about {need_bytes}, and {have_bytes} are free.</source>
        <translation>Ce modèle avec ce contexte demande environ {need_bytes}, et {have_bytes} sont libres.</translation>
    </message>
    <message>
        <source>This model with this context needs more than is free.</source>
        <translation>Ce modèle avec ce contexte demande plus que ce qui est libre.</translation>
    </message>
    <message>
        <source>This model with this context needs about {need_bytes}, and {have_bytes} are free on {device}.</source>
        <translation>Ce modèle avec ce contexte demande environ {need_bytes}, et {have_bytes} sont libres sur {device}.</translation>
    </message>
    <message>
        <source>This model with this context needs more than is free on {device}.</source>
        <translation>Ce modèle avec ce contexte demande plus que ce qui est libre sur {device}.</translation>
    </message>
    <message>
        <source>Context size</source>
        <translation>Taille du contexte</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Lot</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>Micro-lot</translation>
    </message>
    <message>
        <source>Threads, decode</source>
        <translation>Threads, décodage</translation>
    </message>
    <message>
        <source>Threads, prefill</source>
        <translation>Threads, préremplissage</translation>
    </message>
    <message>
        <source>KV cache type</source>
        <translation>Type du cache KV</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash attention</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>Couches sur le GPU</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Appareil</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>Format des nombres</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Température</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation>Pénalité de répétition</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Pénalité de présence</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Pénalité de fréquence</translation>
    </message>
    <message>
        <source>Penalty window</source>
        <translation>Fenêtre des pénalités</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Graine</translation>
    </message>
    <message>
        <source>Maximum length</source>
        <translation>Longueur maximale</translation>
    </message>
    <message>
        <source>a quantized KV cache needs flash attention.</source>
        <translation>un cache KV quantifié demande Flash Attention.</translation>
    </message>
    <message>
        <source>only llama.cpp has this setting.</source>
        <translation>seul llama.cpp a ce réglage.</translation>
    </message>
    <message>
        <source>it must lie between {minimum} and {maximum}.</source>
        <translation>la valeur doit être comprise entre {minimum} et {maximum}.</translation>
    </message>
    <message>
        <source>it must be at least {minimum}.</source>
        <translation>la valeur doit être d’au moins {minimum}.</translation>
    </message>
    <message>
        <source>it may be at most {maximum}.</source>
        <translation>la valeur doit être d’au plus {maximum}.</translation>
    </message>
    <message>
        <source>that does not go with this model and the other settings.</source>
        <translation>cela ne convient pas à ce modèle et aux autres réglages.</translation>
    </message>
    <message>
        <source>“{option}” is {value}:</source>
        <translation>«&#xa0;{option}&#xa0;» vaut {value}&#x202f;:</translation>
    </message>
    <message>
        <source>Change it in the chat settings, then try again.</source>
        <translation>Changez-la dans les réglages du chat, puis réessayez.</translation>
    </message>
    <message>
        <source>Change it in the engine settings, then load the model again.</source>
        <translation>Modifiez-la dans les réglages du moteur, puis rechargez le modèle.</translation>
    </message>
    <message>
        <source>This setting cannot be used</source>
        <translation>Ce réglage ne peut pas être utilisé</translation>
    </message>
    <message>
        <source>No chat template</source>
        <translation>Aucun gabarit de conversation</translation>
    </message>
    <message>
        <source>This model was not made for conversations: it continues text, and may not answer like an assistant.</source>
        <translation>Ce modèle n’a pas été conçu pour la conversation&#x202f;: il prolonge un texte et peut ne pas répondre comme un assistant.</translation>
    </message>
    <message>
        <source>The chat template does not work</source>
        <translation>Le gabarit de conversation ne fonctionne pas</translation>
    </message>
    <message>
        <source>The template that comes with the model failed, so the conversation is given as plain text. Answers may be odd.</source>
        <translation>Le gabarit fourni avec le modèle a échoué&#x202f;; la conversation est donc transmise en texte brut. Les réponses peuvent être étranges.</translation>
    </message>
    <message>
        <source>No system prompt</source>
        <translation>Pas de prompt système</translation>
    </message>
    <message>
        <source>This model&apos;s template has no place for a system prompt: it is put before your first message.</source>
        <translation>Le gabarit de ce modèle ne prévoit pas de prompt système&#x202f;: celui-ci est placé avant votre premier message.</translation>
    </message>
    <message>
        <source>The GPU is not used</source>
        <translation>Le GPU n’est pas utilisé</translation>
    </message>
    <message>
        <source>There is a GPU ({gpu}), but the installed llama.cpp was built for the CPU only. The README says how to build it for the GPU.</source>
        <translation>Il y a un GPU ({gpu}), mais le llama.cpp installé a été compilé pour le CPU seulement. Le fichier README explique comment le compiler pour le GPU.</translation>
    </message>
    <message>
        <source>Part of the model is on the CPU</source>
        <translation>Une partie du modèle est sur le CPU</translation>
    </message>
    <message>
        <source>{n_gpu_layers} of {n_layers} layers fit on the GPU; the rest is slower.</source>
        <translation>Le GPU contient {n_gpu_layers} des {n_layers} couches&#x202f;; le reste est plus lent.</translation>
    </message>
    <message>
        <source>Context beyond training</source>
        <translation>Contexte au-delà de l’entraînement</translation>
    </message>
    <message>
        <source>The context is {n_ctx} tokens, and the model was trained on {n_ctx_train}. Answers may fall apart past that.</source>
        <translation>Le contexte est de {n_ctx} jetons, et le modèle a été entraîné sur {n_ctx_train}. Au-delà, les réponses peuvent devenir incohérentes.</translation>
    </message>
    <message>
        <source>Smaller context</source>
        <translation>Contexte réduit</translation>
    </message>
    <message>
        <source>Memory allows a context of {n_ctx} tokens here; {wanted} would be usual for this model.</source>
        <translation>La mémoire permet ici un contexte de {n_ctx} jetons&#x202f;; {wanted} serait habituel pour ce modèle.</translation>
    </message>
    <message>
        <source>There is a GPU ({gpu}), but the installed PyTorch was built without support for it. The README says how to install one that has it.</source>
        <translation>Un GPU est présent ({gpu}), mais le PyTorch installé a été compilé sans prise en charge de celui-ci. Le README explique comment en installer un qui convient.</translation>
    </message>
    <message>
        <source>PyTorch could not use the GPU {gpu} ({reason}). Often its driver is too old: update it, then load the model again.</source>
        <translation>PyTorch n’a pas pu utiliser le GPU {gpu} ({reason}). Souvent son pilote est trop ancien&#x202f;: mettez-le à jour, puis chargez à nouveau le modèle.</translation>
    </message>
    <message>
        <source>The model needs about {need_bytes} to be computed, and {have_bytes} are free on the GPU ({gpu}), so the CPU computes. A smaller number format or a smaller model may fit.</source>
        <translation>Pour calculer ce modèle, il faut environ {need_bytes}, et {have_bytes} sont libres sur le GPU ({gpu})&#x202f;: c’est donc le CPU qui calcule. Un format de nombres plus petit ou un modèle plus petit peut convenir.</translation>
    </message>
    <message>
        <source>This model goes on from where it is but cannot go back. After a step back in the conversation, or a stop while a prompt is read, the conversation is read again from its beginning, which takes longer.</source>
        <translation>Ce modèle continue là où il en est, mais ne peut pas revenir en arrière. Après un retour en arrière dans la conversation, ou un arrêt pendant la lecture d’un prompt, la conversation est relue depuis le début, ce qui prend plus de temps.</translation>
    </message>
    <message>
        <source>Answers are slower than they could be</source>
        <translation>Les réponses sont plus lentes que possible</translation>
    </message>
    <message>
        <source>The decode step could not be compiled for this device ({reason}). It runs without, and gives the same answers. Newer versions of PyTorch and of the driver may help.</source>
        <translation>L’étape de décodage n’a pas pu être compilée pour cet appareil ({reason}). Le décodage s’exécute sans cela, et donne les mêmes réponses. Des versions plus récentes de PyTorch et du pilote peuvent aider.</translation>
    </message>
    <message>
        <source>The next load takes as long again</source>
        <translation>Le prochain chargement sera aussi long</translation>
    </message>
    <message>
        <source>The converted weights are larger than all that is kept on the disk may be. A smaller number format may fit, and a folder of safetensors is not converted.</source>
        <translation>Les poids convertis dépassent à eux seuls tout ce qui peut être conservé sur le disque. Un format de nombres plus petit peut convenir, et un dossier de safetensors n’est pas converti.</translation>
    </message>
    <message>
        <source>The converted weights could not be kept ({reason}). Free disk space, then load the model again.</source>
        <translation>Les poids convertis n’ont pas pu être conservés ({reason}). Libérez de l’espace disque, puis chargez à nouveau le modèle.</translation>
    </message>
    <message>
        <source>Changes are read from the beginning</source>
        <translation>Tout changement fait relire depuis le début</translation>
    </message>
    <message>
        <source>it finds none of this name</source>
        <translation>il n’en trouve aucun de ce nom</translation>
    </message>
    <message>
        <source>PyTorch does not see it</source>
        <translation>PyTorch ne le voit pas</translation>
    </message>
    <message>
        <source>the installed PyTorch was built without CUDA</source>
        <translation>le PyTorch installé a été compilé sans CUDA</translation>
    </message>
    <message>
        <source>there is no tokenizer.json</source>
        <translation>il n’y a pas de tokenizer.json</translation>
    </message>
    <message>
        <source>it makes no tokens of a text</source>
        <translation>il ne tire aucun jeton d’un texte</translation>
    </message>
    <message>
        <source>there are fewer tensors than layers: {n_tensors} and {n_layers}</source>
        <translation>il y a moins de tenseurs que de couches&#x202f;: {n_tensors} et {n_layers}</translation>
    </message>
    <message>
        <source>tensors are missing: {names}</source>
        <translation>des tenseurs manquent&#x202f;: {names}</translation>
    </message>
    <message>
        <source>tensors have another shape: {names}</source>
        <translation>des tenseurs ont une autre forme&#x202f;: {names}</translation>
    </message>
    <message>
        <source>the weights have more layers than config.json: {names}</source>
        <translation>les poids ont plus de couches que config.json&#x202f;: {names}</translation>
    </message>
    <message>
        <source>the model of config.json has {n_expected} numbers, the weights have {n_found}</source>
        <translation>le modèle de config.json a {n_expected} nombres, les poids en ont {n_found}</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>il est trop gros</translation>
    </message>
    <message>
        <source>it does not say in which file a tensor is</source>
        <translation>il ne dit pas dans quel fichier se trouve un tenseur</translation>
    </message>
    <message>
        <source>it is not a JSON object</source>
        <translation>ce n’est pas un objet JSON</translation>
    </message>
    <message>
        <source>they are larger than all that is kept may be</source>
        <translation>ils sont plus gros que tout ce qui peut être conservé</translation>
    </message>
    <message>
        <source>the disk has no room for them</source>
        <translation>le disque n’a pas assez de place pour eux</translation>
    </message>
    <message>
        <source>“{name}”</source>
        <translation>«&#xa0;{name}&#xa0;»</translation>
    </message>
    <message>
        <source>They are damaged, or show panels that this version does not have: {names}. They are kept in the settings file, under {key}.</source>
        <translation>Elles sont endommagées, ou montrent des panneaux que cette version n’a pas&#x202f;: {names}. Elles sont conservées dans le fichier de réglages, sous {key}.</translation>
    </message>
    <message>
        <source>Some panel layouts cannot be used</source>
        <translation>Certaines dispositions de panneaux ne peuvent pas être utilisées</translation>
    </message>
    <message>
        <source>“{name}” shows a panel that this version does not have (“{panel}”). It is kept as it is, and can be chosen again in the version that made it.</source>
        <translation>«&#xa0;{name}&#xa0;» affiche un panneau que cette version n’a pas («&#xa0;{panel}&#xa0;»). Elle est gardée telle quelle et se choisit de nouveau dans la version qui l’a faite.</translation>
    </message>
    <message>
        <source>“{name}” is damaged. It is left as it is in the settings file, under {key}. Arrange the panels again and save them under another name.</source>
        <translation>«&#xa0;{name}&#xa0;» est abîmée. Elle reste telle quelle dans le fichier des réglages, sous {key}. Disposez les panneaux de nouveau et enregistrez-les sous un autre nom.</translation>
    </message>
    <message>
        <source>What the settings file keeps of your layouts is damaged. It is there still, under {key}. Arrange the panels again and save them.</source>
        <translation>Ce que le fichier des réglages garde de vos dispositions est abîmé. Il s’y trouve toujours, sous {key}. Disposez les panneaux de nouveau et enregistrez-les.</translation>
    </message>
    <message>
        <source>A panel layout cannot be used</source>
        <translation>Une disposition des panneaux est inutilisable</translation>
    </message>
    <message>
        <source>They were last arranged with a panel that this version does not have (“{panel}”), so the essential ones are shown. The arrangement is kept in the settings file, under {key}.</source>
        <translation>Leur dernière disposition a un panneau que cette version n’a pas («&#xa0;{panel}&#xa0;»)&#x202f;; l’essentiel est donc affiché. Elle est gardée dans le fichier des réglages, sous {key}.</translation>
    </message>
    <message>
        <source>How they were arranged could not be read, so the essential ones are shown. What was kept is in the settings file still, under {key}.</source>
        <translation>Leur disposition n’a pas pu être lue&#x202f;; l’essentiel est donc affiché. Ce qui était gardé est toujours dans le fichier des réglages, sous {key}.</translation>
    </message>
    <message>
        <source>The panels stand as at first</source>
        <translation>Les panneaux sont comme au début</translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <source>Model</source>
        <translation>Modèle</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Aucun modèle</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>Ouvrir un modèle…</translation>
    </message>
    <message>
        <source>Open model folder…</source>
        <translation>Ouvrir un dossier de modèle…</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Récents</translation>
    </message>
    <message>
        <source>Details of the model</source>
        <translation>Détails du modèle</translation>
    </message>
</context>
<context>
    <name>ModelDetails</name>
    <message>
        <source>{heads}, {kv} for K and V</source>
        <translation>{heads}, dont {kv} pour K et V</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>oui</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nom</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architecture</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Paramètres</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>Quantification</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Couches</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>Têtes d’attention</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vocabulaire</translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation>Contexte d’entraînement</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>Gabarit de conversation</translation>
    </message>
</context>
<context>
    <name>NameDialog</name>
    <message>
        <source>Name</source>
        <translation>Nom</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
</context>
<context>
    <name>NoticeStrip</name>
    <message>
        <source>Notices</source>
        <translation>Avis</translation>
    </message>
</context>
<context>
    <name>NumberField</name>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Réinitialiser</translation>
    </message>
    <message>
        <source>Back to {value}</source>
        <translation>Revenir à {value}</translation>
    </message>
    <message>
        <source>Reset {name}</source>
        <translation>Réinitialiser {name}</translation>
    </message>
</context>
<context>
    <name>OpenChat</name>
    <message>
        <source>Copy: {title}</source>
        <translation>Copie&#x202f;: {title}</translation>
    </message>
    <message>
        <source>Branch: {title}</source>
        <translation>Branche&#x202f;: {title}</translation>
    </message>
</context>
<context>
    <name>OpenModel</name>
    <message>
        <source>Open a model</source>
        <translation>Ouvrir un modèle</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modèles</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Tous les fichiers</translation>
    </message>
    <message>
        <source>Open a folder with config.json and safetensors</source>
        <translation>Ouvrir un dossier avec config.json et safetensors</translation>
    </message>
</context>
<context>
    <name>PanelHeader</name>
    <message>
        <source>Menu of the panel {name}</source>
        <translation>Menu du panneau {name}</translation>
    </message>
    <message>
        <source>Full screen: {name}</source>
        <translation>Plein écran&#x202f;: {name}</translation>
    </message>
</context>
<context>
    <name>PanelNames</name>
    <message>
        <source>Decode rate</source>
        <translation>Débit de décodage</translation>
    </message>
    <message>
        <source>Time per output token</source>
        <translation>Temps par jeton de sortie</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>Temps jusqu’au premier jeton</translation>
    </message>
    <message>
        <source>Share of the limit</source>
        <translation>Part de la limite</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>Cache KV</translation>
    </message>
    <message>
        <source>Inside the KV cache</source>
        <translation>Dans le cache KV</translation>
    </message>
    <message>
        <source>Device memory</source>
        <translation>Mémoire de l’appareil</translation>
    </message>
    <message>
        <source>Memory map</source>
        <translation>Carte de la mémoire</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU power</source>
        <translation>Puissance du CPU</translation>
    </message>
    <message>
        <source>GPU use</source>
        <translation>Utilisation du GPU</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>Mémoire du GPU</translation>
    </message>
    <message>
        <source>GPU power</source>
        <translation>Puissance du GPU</translation>
    </message>
    <message>
        <source>GPU temperature</source>
        <translation>Température du GPU</translation>
    </message>
    <message>
        <source>Cost of watching</source>
        <translation>Coût de l’observation</translation>
    </message>
</context>
<context>
    <name>PhaseStrip</name>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>What the engine was doing: it reads the prompt (prefill), which is the chat so far, then writes the answer one token, a piece of a word, after the other (decode). The green part of a prefill is the share of the prompt that it remembered from before (in the KV cache), which took no time. Idle where there is no bar. Stamped in the engine process, except the begin of waiting.</source>
        <translation>Ce que faisait le moteur&#x202f;: il lit le prompt (préremplissage), c’est-à-dire le chat jusque-là, puis écrit la réponse un jeton, un morceau de mot, après l’autre (décodage). La partie verte d’un préremplissage est la part du prompt qu’il avait gardée en mémoire (dans le cache KV), et n’a pris aucun temps. Au repos là où il n’y a pas de barre. Horodaté dans le processus du moteur, sauf le début de l’attente.</translation>
    </message>
    <message>
        <source>On the graphs below, Ctrl and the wheel zoom, Shift and the wheel or a drag move, a double click shows all of the answer again. The times count from its send.</source>
        <translation>Sur les graphiques ci-dessous, Ctrl et la molette agrandissent, Maj et la molette ou un glissement déplacent, un double clic montre de nouveau toute la réponse. Les temps sont comptés depuis son envoi.</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>attente</translation>
    </message>
    <message>
        <source>load</source>
        <translation>chargement</translation>
    </message>
    <message>
        <source>compiling</source>
        <translation>compilation</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>préremplissage</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>décodage</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>arrêt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>échec</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>repos</translation>
    </message>
    <message>
        <source>from cache</source>
        <translation>du cache</translation>
    </message>
</context>
<context>
    <name>PresentButton</name>
    <message>
        <source>Full screen</source>
        <translation>Plein écran</translation>
    </message>
</context>
<context>
    <name>Presentation</name>
    <message>
        <source>← → another panel   ·   Esc back</source>
        <translation>← → autre panneau   ·   Échap retour</translation>
    </message>
    <message>
        <source>Previous panel</source>
        <translation>Panneau précédent</translation>
    </message>
    <message>
        <source>Next panel</source>
        <translation>Panneau suivant</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Suivre</translation>
    </message>
    <message>
        <source>Show all of the answer again (Home, or a double click on the graph)</source>
        <translation>Montrer de nouveau toute la réponse (Origine, ou un double clic sur le graphique)</translation>
    </message>
    <message>
        <source>Full screen: {name}</source>
        <translation>Plein écran&#x202f;: {name}</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} sur {all}</translation>
    </message>
</context>
<context>
    <name>PresetBar</name>
    <message>
        <source>Save as…</source>
        <translation>Enregistrer sous…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Renommer…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Supprimer</translation>
    </message>
    <message>
        <source>The fields stay as they are</source>
        <translation>Les champs restent tels quels</translation>
    </message>
    <message>
        <source>Own settings</source>
        <translation>Réglages propres</translation>
    </message>
    <message>
        <source>Save as a preset</source>
        <translation>Enregistrer comme préréglage</translation>
    </message>
    <message>
        <source>Rename the preset</source>
        <translation>Renommer le préréglage</translation>
    </message>
    <message>
        <source>The presets could not be kept: {reason}. Check that there is room on the disk and that the folder is yours.</source>
        <translation>Les préréglages n’ont pas pu être conservés&#x202f;: {reason}. Vérifiez qu’il reste de la place sur le disque et que le dossier est à vous.</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>Balanced</source>
        <translation>Équilibré</translation>
    </message>
    <message>
        <source>Precise</source>
        <translation>Précis</translation>
    </message>
    <message>
        <source>Creative</source>
        <translation>Créatif</translation>
    </message>
    <message>
        <source>Deterministic</source>
        <translation>Déterministe</translation>
    </message>
    <message>
        <source>Type a name first.</source>
        <translation>Saisissez d’abord un nom.</translation>
    </message>
    <message>
        <source>Choose a shorter name.</source>
        <translation>Choisissez un nom plus court.</translation>
    </message>
    <message>
        <source>The name has characters that cannot be shown.</source>
        <translation>Le nom contient des caractères qui ne peuvent pas être affichés.</translation>
    </message>
    <message>
        <source>There is a preset of this name already.</source>
        <translation>Il existe déjà un préréglage de ce nom.</translation>
    </message>
    <message>
        <source>a later version of Oscillama wrote it</source>
        <translation>une version plus récente d’Oscillama l’a écrit</translation>
    </message>
</context>
<context>
    <name>ProgressStrip</name>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
</context>
<context>
    <name>Readout</name>
    <message>
        <source>Point at a moment for its values. The wheel zooms (with Ctrl where it scrolls), dragging moves, a click sets cursor A, with Shift cursor B.</source>
        <translation>Pointez un instant pour voir ses valeurs. La molette agrandit (avec Ctrl là où elle fait défiler), glisser déplace, un clic pose le curseur A, avec Maj le curseur B.</translation>
    </message>
    <message>
        <source>Nothing was going on</source>
        <translation>Il ne se passait rien</translation>
    </message>
    <message>
        <source>{time} after each was sent</source>
        <translation>{time} après chaque envoi</translation>
    </message>
    <message>
        <source>Set the other cursor, too, to see what lies between (A, B)</source>
        <translation>Posez aussi l’autre curseur pour voir ce qui les sépare (A, B)</translation>
    </message>
    <message>
        <source>From A to B: {what}</source>
        <translation>De A à B&#x202f;: {what}</translation>
    </message>
</context>
<context>
    <name>ReasoningPart</name>
    <message>
        <source>Reasoning</source>
        <translation>Raisonnement</translation>
    </message>
    <message>
        <source>Reasoning…</source>
        <translation>Raisonnement…</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>déplié</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>replié</translation>
    </message>
</context>
<context>
    <name>ReplayPane</name>
    <message>
        <source>Replay</source>
        <translation>Mesure rejouée</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Pas à pas</translation>
    </message>
    <message>
        <source>Stop, and go on to what the engine did next</source>
        <translation>Arrêter, et avancer jusqu’à ce que le moteur a fait ensuite</translation>
    </message>
    <message>
        <source>From the start</source>
        <translation>Depuis le début</translation>
    </message>
    <message>
        <source>End replay</source>
        <translation>Quitter</translation>
    </message>
    <message>
        <source>Speed of the replay</source>
        <translation>Vitesse de lecture</translation>
    </message>
    <message>
        <source>Replay of a recorded run. Nothing is being computed.</source>
        <translation>Mesure enregistrée, rejouée. Rien n’est calculé.</translation>
    </message>
    <message>
        <source>Position in the replay</source>
        <translation>Position dans la lecture</translation>
    </message>
    <message>
        <source>Drag it, or use the arrow keys, to go to a moment</source>
        <translation>Glissez-le, ou utilisez les flèches, pour aller à un instant</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Lire</translation>
    </message>
    <message>
        <source>{at} of {length}</source>
        <translation>{at} sur {length}</translation>
    </message>
</context>
<context>
    <name>RunPlot</name>
    <message>
        <source>Fit</source>
        <translation>Tout voir</translation>
    </message>
    <message>
        <source>Show all of the runs (Home, or a double click)</source>
        <translation>Montrer toutes les mesures en entier (Origine, ou un double clic)</translation>
    </message>
    <message>
        <source>time since each was sent</source>
        <translation>temps depuis l’envoi</translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>Answers go on, but the runs of this session are not kept: {folder} cannot be used. Check that the folder is yours and that the disk is not full.</source>
        <translation>Les réponses continuent, mais les mesures de cette session ne sont pas conservées&#x202f;: {folder} n’est pas utilisable. Vérifiez que le dossier vous appartient et que le disque n’est pas plein.</translation>
    </message>
    <message>
        <source>Runs are not recorded</source>
        <translation>Les mesures ne sont pas enregistrées</translation>
    </message>
    <message>
        <source>Not a run: the file is something else</source>
        <translation>Pas une mesure&#x202f;: le fichier est autre chose</translation>
    </message>
    <message>
        <source>Written by a newer Oscillama: update to read it</source>
        <translation>Écrit par un Oscillama plus récent&#x202f;: mettez à jour pour le lire</translation>
    </message>
    <message>
        <source>Damaged or cut short: nothing in it can be trusted</source>
        <translation>Endommagé ou tronqué&#x202f;: rien n’y est fiable</translation>
    </message>
    <message>
        <source>Changed after it was recorded: its checksum does not match</source>
        <translation>Modifié après l’enregistrement&#x202f;: sa somme de contrôle ne correspond pas</translation>
    </message>
    <message>
        <source>Cannot be read: check that the file is yours</source>
        <translation>Illisible&#x202f;: vérifiez que le fichier vous appartient</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Rapport</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>Graphique</translation>
    </message>
    <message>
        <source>Export the chosen runs</source>
        <translation>Exporter les mesures choisies</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modèle</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>Quantification</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Moteur</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Appareil</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Jetons</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>Prérempl.</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>Décodage</translation>
    </message>
    <message>
        <source>ITL p50</source>
        <translation>ITL p50</translation>
    </message>
    <message>
        <source>ITL p95</source>
        <translation>ITL p95</translation>
    </message>
    <message>
        <source>J/token</source>
        <translation>J/jeton</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Énergie</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Date</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Étiquette</translation>
    </message>
    <message>
        <source>Prompt tokens and output tokens</source>
        <translation>Jetons de l’invite et jetons de sortie</translation>
    </message>
    <message>
        <source>Time to first token, from when the engine took the request</source>
        <translation>Délai jusqu’au premier jeton, à partir de la prise en charge par le moteur</translation>
    </message>
    <message>
        <source>Prompt tokens computed per second; those from the cache are not counted</source>
        <translation>Jetons de l’invite calculés par seconde&#x202f;; ceux du cache ne sont pas comptés</translation>
    </message>
    <message>
        <source>Output tokens per second after the first</source>
        <translation>Jetons de sortie par seconde après le premier</translation>
    </message>
    <message>
        <source>Median of the time between two engine steps</source>
        <translation>Médiane du temps entre deux pas du moteur</translation>
    </message>
    <message>
        <source>95 of 100 engine steps came at most this long after the one before</source>
        <translation>95 pas du moteur sur 100 sont venus au plus tard ce temps après le précédent</translation>
    </message>
    <message>
        <source>Energy of the GPU board (NVML) or the CPU package (RAPL) per output token, whichever computed, from start to end of the answer; blank where it has no counter</source>
        <translation>Énergie de la carte GPU (NVML) ou du boîtier CPU (RAPL) par jeton de sortie, selon ce qui a calculé, du début à la fin de la réponse&#x202f;; vide là où il n’y a pas de compteur</translation>
    </message>
    <message>
        <source>The same energy of the whole answer</source>
        <translation>La même énergie pour toute la réponse</translation>
    </message>
    <message>
        <source>tokens inspected</source>
        <translation>jetons inspectés</translation>
    </message>
    <message>
        <source>Decode rate, tok/s</source>
        <translation>Débit de décodage, jetons/s</translation>
    </message>
    <message>
        <source>Time between engine steps (ITL)</source>
        <translation>Temps entre les pas du moteur (ITL)</translation>
    </message>
    <message>
        <source>Choose runs above to lay them over each other</source>
        <translation>Choisissez des mesures ci-dessus pour les superposer</translation>
    </message>
    <message>
        <source>Recorded runs</source>
        <translation>Mesures enregistrées</translation>
    </message>
    <message>
        <source>Medians, and the least and the most</source>
        <translation>Médianes, minimum et maximum</translation>
    </message>
    <message>
        <source>Every run</source>
        <translation>Toutes les mesures</translation>
    </message>
    <message>
        <source>Machines and engines</source>
        <translation>Machines et moteurs</translation>
    </message>
    <message>
        <source>What the figures are</source>
        <translation>Définition des valeurs</translation>
    </message>
    <message>
        <source>Made by Oscillama on {date}. No prompt and no answer is in it.</source>
        <translation>Créé par Oscillama le {date}. Ne contient ni invite ni réponse.</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Mesures</translation>
    </message>
    <message>
        <source>time since each was sent</source>
        <translation>temps depuis l’envoi</translation>
    </message>
</context>
<context>
    <name>RunsWindow</name>
    <message>
        <source>Runs</source>
        <translation>Mesures</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtrer</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>Filtrer les mesures</translation>
    </message>
    <message>
        <source>Words of the model, the quantization, the device, the date or the label</source>
        <translation>Mots du modèle, de la quantification, de l’appareil, de la date ou de l’étiquette</translation>
    </message>
    <message>
        <source>Label…</source>
        <translation>Étiquette…</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Rejouer</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Chronologie</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exporter…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Supprimer</translation>
    </message>
    <message>
        <source>Not replayed: {run}. {reason}.</source>
        <translation>Non rejouée&#x202f;: {run}. {reason}.</translation>
    </message>
    <message>
        <source>Not shown on the timeline: {run}. {reason}.</source>
        <translation>Non montrée sur la chronologie&#x202f;: {run}. {reason}.</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %Ln run(s)</source>
        <translation>
            <numerusform>%Ln mesure supprimée</numerusform>
            <numerusform>%Ln mesures supprimées</numerusform>
        </translation>
    </message>
    <message>
        <source>Bring them back</source>
        <translation>Les rétablir</translation>
    </message>
    <message numerus="yes">
        <source>Label %Ln run(s)</source>
        <translation>
            <numerusform>Étiqueter %Ln mesure</numerusform>
            <numerusform>Étiqueter %Ln mesures</numerusform>
        </translation>
    </message>
    <message>
        <source>{path} was not written: {reason}</source>
        <translation>{path} n’a pas été écrit&#x202f;: {reason}</translation>
    </message>
    <message>
        <source>Written: {path}</source>
        <translation>Écrit&#x202f;: {path}</translation>
    </message>
    <message>
        <source>Reading the list of runs</source>
        <translation>Lecture de la liste des mesures</translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln mesure</numerusform>
            <numerusform>%Ln mesures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln shown</source>
        <translation>
            <numerusform>%Ln affichée</numerusform>
            <numerusform>%Ln affichées</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chosen</source>
        <translation>
            <numerusform>%Ln choisie</numerusform>
            <numerusform>%Ln choisies</numerusform>
        </translation>
    </message>
    <message>
        <source>curves of the first {n}</source>
        <translation>courbes des {n} premières</translation>
    </message>
    <message>
        <source>They take {used}. Runs without a label are kept up to {n} runs and {most}; then the oldest go first. No prompt and no answer is in them.</source>
        <translation>Elles occupent {used}. Sans étiquette, les mesures sont gardées jusqu’à {n} et {most}&#x202f;; ensuite, les plus anciennes partent d’abord. Elles ne contiennent ni invite ni réponse.</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear the search</source>
        <translation>Effacer la recherche</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Raccourcis clavier</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Envoyer le message</translation>
    </message>
    <message>
        <source>Break the line</source>
        <translation>Aller à la ligne</translation>
    </message>
    <message>
        <source>In a graph</source>
        <translation>Dans un graphique</translation>
    </message>
    <message>
        <source>Earlier, later</source>
        <translation>Plus tôt, plus tard</translation>
    </message>
    <message>
        <source>Closer, further away</source>
        <translation>Plus près, plus loin</translation>
    </message>
    <message>
        <source>Follow the answer again</source>
        <translation>Suivre à nouveau la réponse</translation>
    </message>
    <message>
        <source>Read values</source>
        <translation>Lire les valeurs</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Oscillama</source>
        <translation>Oscillama</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversations</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Rechercher</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>Rechercher dans les conversations</translation>
    </message>
    <message>
        <source>Search titles and messages (Ctrl+K)</source>
        <translation>Rechercher dans les titres et les messages (Ctrl+K)</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Nouveau chat</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Nouveau dossier</translation>
    </message>
    <message>
        <source>New folder (Ctrl+Shift+N)</source>
        <translation>Nouveau dossier (Ctrl+Maj+N)</translation>
    </message>
    <message>
        <source>Show archived</source>
        <translation>Afficher les archivées</translation>
    </message>
    <message>
        <source>Show archived conversations</source>
        <translation>Afficher les conversations archivées</translation>
    </message>
</context>
<context>
    <name>Store</name>
    <message>
        <source>Conversations are not being saved</source>
        <translation>Les conversations ne sont pas enregistrées</translation>
    </message>
    <message>
        <source>The file with your conversations is damaged. It was kept as {name}, in {folder}, and a new one was begun. Conversations that could be read from it: {n}. If you have a backup, close Oscillama and put it in the place of oscillama.sqlite3.</source>
        <translation>Le fichier de vos conversations est endommagé. Il a été conservé sous le nom {name}, dans {folder}, et un nouveau a été commencé. Conversations qui ont pu y être lues&#x202f;: {n}. Si vous avez une sauvegarde, fermez Oscillama et mettez-la à la place de oscillama.sqlite3.</translation>
    </message>
    <message>
        <source>The conversations are damaged</source>
        <translation>Les conversations sont endommagées</translation>
    </message>
    <message>
        <source>Nothing was imported</source>
        <translation>Rien n’a été importé</translation>
    </message>
    <message>
        <source>{path} was refused: {reason}</source>
        <translation>{path} a été refusé&#x202f;: {reason}</translation>
    </message>
    <message>
        <source>The conversations could not be exported</source>
        <translation>Les conversations n’ont pas pu être exportées</translation>
    </message>
    <message>
        <source>{path} could not be written: {reason}. Choose another place.</source>
        <translation>{path} n’a pas pu être écrit&#x202f;: {reason}. Choisissez un autre emplacement.</translation>
    </message>
    <message>
        <source>Conversations were imported</source>
        <translation>Conversations importées</translation>
    </message>
    <message>
        <source>New: {new}. There already: {known}.</source>
        <translation>Nouvelles&#x202f;: {new}. Déjà présentes&#x202f;: {known}.</translation>
    </message>
    <message>
        <source>Conversations were exported</source>
        <translation>Conversations exportées</translation>
    </message>
    <message>
        <source>{path} had been deleted or moved away. It was written again, with everything that was in it.</source>
        <translation>{path} avait été supprimé ou déplacé. Il a été réécrit, avec tout ce qu’il contenait.</translation>
    </message>
    <message>
        <source>The file with your conversations was gone</source>
        <translation>Le fichier de vos conversations avait disparu</translation>
    </message>
    <message>
        <source>Something in a conversation cannot be written, and was left out. It stays on screen until Oscillama is closed: copy it if you need it. Everything else is saved.</source>
        <translation>Quelque chose dans une conversation ne peut pas être écrit et a été laissé de côté. Cela reste à l’écran jusqu’à la fermeture d’Oscillama&#x202f;: copiez-le si vous en avez besoin. Tout le reste est enregistré.</translation>
    </message>
    <message>
        <source>A change could not be saved</source>
        <translation>Une modification n’a pas pu être enregistrée</translation>
    </message>
    <message>
        <source>The conversations could not be searched</source>
        <translation>La recherche dans les conversations a échoué</translation>
    </message>
    <message>
        <source>The conversation could not be read</source>
        <translation>La conversation n’a pas pu être lue</translation>
    </message>
    <message>
        <source>Then try it again.</source>
        <translation>Réessayez ensuite.</translation>
    </message>
    <message>
        <source>The details say what went wrong.</source>
        <translation>Les détails disent ce qui s’est passé.</translation>
    </message>
    <message>
        <source>The import was cancelled</source>
        <translation>L’importation a été annulée</translation>
    </message>
    <message>
        <source>Nothing was imported from {path}.</source>
        <translation>Rien n’a été importé de {path}.</translation>
    </message>
    <message>
        <source>The import is over</source>
        <translation>L’importation est terminée</translation>
    </message>
    <message>
        <source>{path} has them.</source>
        <translation>Elles sont dans {path}.</translation>
    </message>
    <message>
        <source>Nothing new was imported. There already: {known}.</source>
        <translation>Rien de nouveau n’a été importé. Déjà présentes&#x202f;: {known}.</translation>
    </message>
    <message>
        <source>Left out because nothing is said in them: {empty}.</source>
        <translation>Laissées de côté car rien n’y est dit&#x202f;: {empty}.</translation>
    </message>
    <message>
        <source>Other files of the archive, such as pictures: {files} not taken.</source>
        <translation>Autres fichiers de l’archive, comme les images&#x202f;: {files} non repris.</translation>
    </message>
    <message>
        <source>Everything stays on screen, and is saved as soon as that works again: it is tried every few seconds. Until then, do not close the window.</source>
        <translation>Tout reste à l’écran et sera enregistré dès que possible&#x202f;: un essai a lieu toutes les quelques secondes. D’ici là, ne fermez pas la fenêtre.</translation>
    </message>
    <message>
        <source>Another program is using {path}. Close it: a database viewer, a backup, or an Oscillama of another user.</source>
        <translation>Un autre programme utilise {path}. Fermez-le&#x202f;: un lecteur de bases de données, une sauvegarde, ou l’Oscillama d’une autre personne.</translation>
    </message>
    <message>
        <source>{path} may only be read. Allow writing to it and to its folder.</source>
        <translation>{path} est en lecture seule. Autorisez l’écriture dans ce fichier et dans son dossier.</translation>
    </message>
    <message>
        <source>The disk with {path} is full. Free some space on it.</source>
        <translation>Le disque où se trouve {path} est plein. Libérez de la place.</translation>
    </message>
    <message>
        <source>{path} is damaged and could not be moved away. Move it somewhere else.</source>
        <translation>{path} est endommagé et n’a pas pu être déplacé. Déplacez-le ailleurs.</translation>
    </message>
    <message>
        <source>{path} cannot be opened. Check that its folder exists, that it is yours, and that the disk is there.</source>
        <translation>{path} ne peut pas être ouvert. Vérifiez que son dossier existe, qu’il vous appartient et que le disque est présent.</translation>
    </message>
    <message>
        <source>Another file has taken the place of {path}. Move that file away. If Oscillama is closed before, its conversations are kept beside it, in a file with “kept” in its name.</source>
        <translation>Un autre fichier a pris la place de {path}. Déplacez-le. Si Oscillama est fermé avant, ses conversations sont gardées à côté, dans un fichier dont le nom contient «&#xa0;kept&#xa0;».</translation>
    </message>
    <message>
        <source>{path} was written by a later version of Oscillama. Use that version, or move the file somewhere else.</source>
        <translation>{path} a été écrit par une version plus récente d’Oscillama. Utilisez cette version, ou déplacez le fichier ailleurs.</translation>
    </message>
    <message>
        <source>{path} could not be written. The details say what SQLite reports.</source>
        <translation>{path} n’a pas pu être écrit. Les détails donnent le message de SQLite.</translation>
    </message>
</context>
<context>
    <name>TelemetryColumn</name>
    <message>
        <source>Live telemetry</source>
        <translation>Télémétrie en direct</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Plein écran</translation>
    </message>
</context>
<context>
    <name>TimePerTokenPanel</name>
    <message>
        <source>TPOT: (t_last − t_first) / (n − 1), of the whole answer. Each bar is one engine step&apos;s ITL (inter-token latency), the time since the step before; half of these are within p50, 95 of 100 within p95. Where bars are closer than a pixel the longest is shown. Stamped in the engine process.</source>
        <translation>TPOT&#x202f;: (t_last − t_first) / (n − 1), sur toute la réponse. Chaque barre est l’ITL (latence entre jetons) d’un pas du moteur, le temps écoulé depuis le pas précédent&#x202f;; la moitié sont au plus p50, 95 sur 100 au plus p95. Là où les barres sont à moins d’un pixel, la plus longue est affichée. Horodaté dans le processus du moteur.</translation>
    </message>
    <message>
        <source>Shows from the second token of an answer</source>
        <translation>S’affiche dès le deuxième jeton d’une réponse</translation>
    </message>
    <message>
        <source>How long the model takes to write one token, a piece of a word; a tall bar is a moment in which the text stood still.</source>
        <translation>Le temps qu’il faut au modèle pour écrire un jeton, un morceau de mot&#x202f;; une barre haute est un moment où le texte s’est arrêté.</translation>
    </message>
    <message>
        <source>one bar for each step</source>
        <translation>une barre par pas</translation>
    </message>
    <message>
        <source>p50 {p50}   p95 {p95}</source>
        <translation>p50 {p50}   p95 {p95}</translation>
    </message>
    <message>
        <source>half within {p50}  ·  95 of 100 within {p95}</source>
        <translation>la moitié sous {p50}  ·  95 sur 100 sous {p95}</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>Decode steps</source>
        <translation>Pas de décodage</translation>
    </message>
    <message>
        <source>One tick for each step of the engine, as high as the time since the step before (ITL). A tall tick is a token that came late.</source>
        <translation>Un trait par pas du moteur, haut comme le temps depuis le pas précédent (ITL). Un grand trait est un jeton venu tard.</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>premier jeton</translation>
    </message>
    <message>
        <source>No decode step in view</source>
        <translation>Aucun pas de décodage ici</translation>
    </message>
    <message>
        <source>Device memory</source>
        <translation>Mémoire de l’appareil</translation>
    </message>
    <message>
        <source>What the engine holds where it computes, and in green the part of the KV cache that is in use.</source>
        <translation>Ce que le moteur occupe là où il calcule, et en vert la part utilisée du cache KV.</translation>
    </message>
    <message>
        <source>engine memory</source>
        <translation>mémoire du moteur</translation>
    </message>
    <message>
        <source>No sample in view</source>
        <translation>Aucun relevé ici</translation>
    </message>
    <message>
        <source>engine memory {size}</source>
        <translation>mémoire du moteur {size}</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>Utilisation</translation>
    </message>
    <message>
        <source>CPU, everything</source>
        <translation>CPU, tout</translation>
    </message>
    <message>
        <source>CPU, engine</source>
        <translation>CPU, moteur</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>engine CPU {share}</source>
        <translation>CPU du moteur {share}</translation>
    </message>
    <message>
        <source>How busy the processors were: 100 % is all of their cores, all the time. The pale line is everything that runs on this machine.</source>
        <translation>À quel point les processeurs étaient occupés&#x202f;: 100&#x202f;% signifie tous leurs cœurs, tout le temps. La ligne pâle est tout ce qui tourne sur cette machine.</translation>
    </message>
    <message>
        <source>GPU {share}</source>
        <translation>GPU {share}</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Puissance</translation>
    </message>
    <message>
        <source>What each device draws, as its own counter says.</source>
        <translation>Ce que consomme chaque appareil, selon son propre compteur.</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU power</source>
        <translation>puissance du GPU</translation>
    </message>
    <message>
        <source>CPU power</source>
        <translation>puissance du CPU</translation>
    </message>
    <message>
        <source>No counter of power can be read here, so it stays blank</source>
        <translation>Aucun compteur de puissance n’est lisible ici, donc rien n’est montré</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Événements</translation>
    </message>
    <message>
        <source>What happened at a single moment.</source>
        <translation>Ce qui est arrivé à un instant.</translation>
    </message>
    <message>
        <source>Nothing in view</source>
        <translation>Rien ici</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Requête</translation>
    </message>
    <message>
        <source>What the time went into. Prefill climbs to the whole prompt: green was in the cache already, each orange block is a chunk that was computed. Grey below: the first text on its way to the screen.</source>
        <translation>À quoi le temps est passé. Le préremplissage monte jusqu’au prompt entier&#x202f;: vert, déjà en cache&#x202f;; chaque bloc orange, un morceau calculé. Gris dessous&#x202f;: le premier texte en route vers l’écran.</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>attente</translation>
    </message>
    <message>
        <source>prefill +{n}</source>
        <translation>préremplissage +{n}</translation>
    </message>
    <message>
        <source>Answer {n}</source>
        <translation>Réponse {n}</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>attente</translation>
    </message>
    <message>
        <source>load the model</source>
        <translation>chargement du modèle</translation>
    </message>
    <message>
        <source>compile</source>
        <translation>compilation</translation>
    </message>
    <message>
        <source>prepare the prompt</source>
        <translation>préparation du prompt</translation>
    </message>
    <message>
        <source>template</source>
        <translation>gabarit</translation>
    </message>
    <message>
        <source>tokenize</source>
        <translation>découpage en jetons</translation>
    </message>
    <message>
        <source>search of the cache</source>
        <translation>recherche dans le cache</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>préremplissage</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>décodage</translation>
    </message>
    <message>
        <source>cache reused</source>
        <translation>cache réutilisé</translation>
    </message>
    <message>
        <source>context dropped</source>
        <translation>contexte abandonné</translation>
    </message>
    <message>
        <source>CPU instead of GPU</source>
        <translation>CPU au lieu du GPU</translation>
    </message>
    <message>
        <source>garbage collection</source>
        <translation>ramasse-miettes</translation>
    </message>
    <message>
        <source>throttled</source>
        <translation>bridé</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>arrêtée</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>échec</translation>
    </message>
    <message>
        <source>machine slept</source>
        <translation>veille</translation>
    </message>
    <message>
        <source>clock changed</source>
        <translation>horloge changée</translation>
    </message>
    <message>
        <source>sampler restarted</source>
        <translation>relevés relancés</translation>
    </message>
    <message>
        <source>samples missing</source>
        <translation>relevés manquants</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>mesure en cours</translation>
    </message>
    <message>
        <source>{cached} of {prompt} prompt tokens came from the cache</source>
        <translation>{cached} des {prompt} jetons du prompt venaient du cache</translation>
    </message>
    <message>
        <source>part of the model runs on the CPU: the GPU is too small</source>
        <translation>une partie du modèle tourne sur le CPU&#x202f;: le GPU est trop petit</translation>
    </message>
    <message>
        <source>the model runs on the CPU, though there is a GPU</source>
        <translation>le modèle tourne sur le CPU, bien qu’il y ait un GPU</translation>
    </message>
    <message>
        <source>Python collected garbage in the engine for {time}</source>
        <translation>le ramasse-miettes de Python a pris {time} dans le moteur</translation>
    </message>
    <message>
        <source>the engine compiled code for {time}</source>
        <translation>le moteur a compilé du code pendant {time}</translation>
    </message>
    <message>
        <source>the machine slept for {time}</source>
        <translation>la machine était en veille pendant {time}</translation>
    </message>
    <message>
        <source>what takes samples ended with code {code}, and was started again</source>
        <translation>ce qui prend les mesures s’est arrêté avec le code {code} et a été relancé</translation>
    </message>
    <message>
        <source>what watching costs was measured for {time} until here</source>
        <translation>le coût de l’observation a été mesuré pendant {time} jusqu’ici</translation>
    </message>
    <message>
        <source>what watching costs is measured from here: no steps of an answer</source>
        <translation>le coût de l’observation est mesuré à partir d’ici&#x202f;: ces pas ne sont d’aucune réponse</translation>
    </message>
    <message>
        <source>the time of day was put back by {time}</source>
        <translation>l’heure a été reculée de {time}</translation>
    </message>
    <message>
        <source>the time of day was put forward by {time}</source>
        <translation>l’heure a été avancée de {time}</translation>
    </message>
    <message>
        <source>a GPU was no longer there</source>
        <translation>un GPU n’était plus là</translation>
    </message>
    <message>
        <source>an energy counter was lost, or went backwards</source>
        <translation>un compteur d’énergie a disparu ou reculé</translation>
    </message>
    <message>
        <source>no sample was taken for {time}</source>
        <translation>aucune mesure pendant {time}</translation>
    </message>
    <message>
        <source>the CPU slowed itself down: it was too hot</source>
        <translation>le CPU s’est ralenti&#x202f;: il était trop chaud</translation>
    </message>
    <message>
        <source>the GPU slowed itself down: it was too hot</source>
        <translation>le GPU s’est ralenti&#x202f;: il était trop chaud</translation>
    </message>
    <message>
        <source>the GPU slowed itself down: it was at its limit of power</source>
        <translation>le GPU s’est ralenti&#x202f;: il était à sa limite de puissance</translation>
    </message>
    <message>
        <source>the GPU was slowed down by its board</source>
        <translation>le GPU a été ralenti par sa carte</translation>
    </message>
    <message>
        <source>Answer {n}, {time} after it was sent</source>
        <translation>Réponse {n}, {time} après l’envoi</translation>
    </message>
    <message>
        <source>the first text was on its way to the screen for {time}</source>
        <translation>le premier texte allait vers l’écran pendant {time}</translation>
    </message>
    <message>
        <source>{joules} of the GPU</source>
        <translation>{joules} du GPU</translation>
    </message>
    <message>
        <source>{joules} of the CPU</source>
        <translation>{joules} du CPU</translation>
    </message>
    <message>
        <source>Run {n}</source>
        <translation>Mesure {n}</translation>
    </message>
    <message>
        <source>first token after {time}</source>
        <translation>premier jeton après {time}</translation>
    </message>
    <message>
        <source>step {n}</source>
        <translation>pas {n}</translation>
    </message>
    <message>
        <source>“{token}”</source>
        <translation>«&#xa0;{token}&#xa0;»</translation>
    </message>
    <message>
        <source>{time} since the step before</source>
        <translation>{time} depuis le pas précédent</translation>
    </message>
    <message>
        <source>Δ {time}</source>
        <translation>Δ {time}</translation>
    </message>
    <message>
        <source>steps of then are not kept one by one</source>
        <translation>les pas d’alors ne sont plus gardés un par un</translation>
    </message>
    <message>
        <source>{rate} over this time</source>
        <translation>{rate} sur cette durée</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>cache KV</translation>
    </message>
</context>
<context>
    <name>TimelineChart</name>
    <message>
        <source>Timeline</source>
        <translation>Chronologie</translation>
    </message>
</context>
<context>
    <name>TimelineOpener</name>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln mesure</numerusform>
            <numerusform>%Ln mesures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimelineWindow</name>
    <message>
        <source>Timeline</source>
        <translation>Chronologie</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Légende</translation>
    </message>
    <message>
        <source>Last answer</source>
        <translation>Dernière réponse</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Tout</translation>
    </message>
    <message>
        <source>Answer before</source>
        <translation>Réponse précédente</translation>
    </message>
    <message>
        <source>Answer after</source>
        <translation>Réponse suivante</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Agrandir</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Réduire</translation>
    </message>
    <message>
        <source>Set A</source>
        <translation>Poser A</translation>
    </message>
    <message>
        <source>Set B</source>
        <translation>Poser B</translation>
    </message>
    <message>
        <source>Clear cursors</source>
        <translation>Ôter les curseurs</translation>
    </message>
    <message>
        <source>Earlier answers…</source>
        <translation>Réponses passées…</translation>
    </message>
    <message>
        <source>Recorded runs, each from when it was sent, without any text of them.</source>
        <translation>Des mesures enregistrées, chacune depuis son envoi, sans aucun de leurs textes.</translation>
    </message>
    <message>
        <source>A recorded run. It holds no text of a prompt or an answer.</source>
        <translation>Une mesure enregistrée. Elle ne contient aucun texte de prompt ni de réponse.</translation>
    </message>
    <message>
        <source>Kept since the window was opened: all of the last {steps} steps and samples, and samples of {hours} hours, in {size} of memory at most. Answers of earlier sessions are in “Earlier answers”, as recorded runs.</source>
        <translation>Gardé depuis l’ouverture de la fenêtre&#x202f;: les {steps} derniers pas et relevés en entier, et les relevés de {hours}&#x202f;heures, dans {size} de mémoire au plus. Les réponses de sessions passées sont sous «&#xa0;Réponses passées&#xa0;», comme mesures enregistrées.</translation>
    </message>
</context>
<context>
    <name>TintLegend</name>
    <message>
        <source>No colours</source>
        <translation>Sans couleurs</translation>
    </message>
    <message>
        <source>Token time ÷ median:</source>
        <translation>Temps du jeton ÷ médiane&#x202f;:</translation>
    </message>
    <message>
        <source>Token probability:</source>
        <translation>Probabilité du jeton&#x202f;:</translation>
    </message>
</context>
<context>
    <name>TokenInspector</name>
    <message>
        <source>Times and probabilities are known for answers of this session only.</source>
        <translation>Les temps et les probabilités ne sont connus que pour les réponses de cette session.</translation>
    </message>
    <message>
        <source>Of a continued answer, the tokens since then are known.</source>
        <translation>D’une réponse continuée, seuls les jetons d’après sont connus.</translation>
    </message>
    <message>
        <source>Probabilities are known for answers that begin while Inspect tokens is on.</source>
        <translation>Les probabilités sont connues pour les réponses commencées pendant que «&#xa0;Inspecter les jetons&#xa0;» est activé.</translation>
    </message>
</context>
<context>
    <name>TokenPanel</name>
    <message>
        <source>Tokens of a word</source>
        <translation>Jetons d’un mot</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>Jeton précédent</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>Jeton suivant</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Time (ITL)</source>
        <translation>Temps (ITL)</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Probabilité</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>Cache KV</translation>
    </message>
    <message>
        <source>Token id</source>
        <translation>Id du jeton</translation>
    </message>
    <message>
        <source>“{word}”</source>
        <translation>«&#xa0;{word}&#xa0;»</translation>
    </message>
    <message>
        <source>Inspecting took {time} of it.</source>
        <translation>L’inspection en a pris {time}.</translation>
    </message>
    <message>
        <source>Token {piece}</source>
        <translation>Jeton {piece}</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Engine</source>
        <translation>Moteur</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Panneaux</translation>
    </message>
    <message>
        <source>Choose what the live panels show (Ctrl+T hides them)</source>
        <translation>Choisir ce que montrent les panneaux en direct (Ctrl+T les masque)</translation>
    </message>
    <message>
        <source>Focus</source>
        <translation>Focus</translation>
    </message>
    <message>
        <source>Hide everything but the conversation (Ctrl+Shift+F)</source>
        <translation>Ne garder que la conversation (Ctrl+Maj+F)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Plus</translation>
    </message>
    <message>
        <source>No engine</source>
        <translation>Aucun moteur</translation>
    </message>
    <message>
        <source>Open a model first</source>
        <translation>Ouvrez d’abord un modèle</translation>
    </message>
    <message>
        <source>Engine settings</source>
        <translation>Réglages du moteur</translation>
    </message>
</context>
<context>
    <name>TorchInstall</name>
    <message>
        <source>The disk has no room for it. Free some space, then try again.</source>
        <translation>Le disque n’a pas assez de place. Libérez-en, puis réessayez.</translation>
    </message>
    <message>
        <source>The package index cannot be reached. Check the network, then try again: what was downloaded whole is not downloaded twice.</source>
        <translation>L’index des paquets est injoignable. Vérifiez le réseau, puis réessayez&#x202f;: ce qui a été téléchargé en entier ne l’est pas deux fois.</translation>
    </message>
    <message>
        <source>There is no build of it for this Python and this system. Models in the GGUF format run without it.</source>
        <translation>Il n’en existe pas de version compilée pour ce Python et ce système. Les modèles au format GGUF s’en passent.</translation>
    </message>
    <message>
        <source>The details have the installer&apos;s own words. Try again, or use the command in a terminal.</source>
        <translation>Les détails reprennent les termes de l’installateur. Réessayez, ou utilisez la commande dans un terminal.</translation>
    </message>
    <message>
        <source>Nothing that was installed before has changed.</source>
        <translation>Rien de ce qui était installé auparavant n’a changé.</translation>
    </message>
    <message>
        <source>PyTorch could not be installed</source>
        <translation>PyTorch n’a pas pu être installé</translation>
    </message>
    <message>
        <source>PyTorch is installed</source>
        <translation>PyTorch est installé</translation>
    </message>
    <message>
        <source>Models that need it can be opened now.</source>
        <translation>Les modèles qui en ont besoin peuvent maintenant être ouverts.</translation>
    </message>
</context>
<context>
    <name>TurnFoot</name>
    <message>
        <source>Previous variant</source>
        <translation>Variante précédente</translation>
    </message>
    <message>
        <source>Next variant</source>
        <translation>Variante suivante</translation>
    </message>
    <message>
        <source>Delete this variant and what follows it</source>
        <translation>Supprimer cette variante et ce qui la suit</translation>
    </message>
    <message>
        <source>Variant {n} of {total}</source>
        <translation>Variante {n} sur {total}</translation>
    </message>
</context>
<context>
    <name>UndoStrip</name>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Nouveau chat</translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation>Supprimé&#x202f;: «&#xa0;{title}&#xa0;»</translation>
    </message>
    <message>
        <source>Bring back “{title}”</source>
        <translation>Rétablir «&#xa0;{title}&#xa0;»</translation>
    </message>
</context>
<context>
    <name>Units</name>
    <message>
        <source>tok/s</source>
        <translation>jetons/s</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>Mio</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>Go/s</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <source>Wh</source>
        <translation>Wh</translation>
    </message>
    <message>
        <source>mWh</source>
        <translation>mWh</translation>
    </message>
    <message>
        <source>°C</source>
        <translation>°C</translation>
    </message>
    <message>
        <source>B</source>
        <translation>o</translation>
    </message>
    <message>
        <source>KiB</source>
        <translation>Kio</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>Gio</translation>
    </message>
    <message>
        <source>TiB</source>
        <translation>Tio</translation>
    </message>
    <message>
        <source>PiB</source>
        <translation>Pio</translation>
    </message>
    <message>
        <source>B</source>
        <comment>billion</comment>
        <translation>Md</translation>
    </message>
    <message>
        <source>M</source>
        <comment>million</comment>
        <translation>M</translation>
    </message>
    <message>
        <source>k</source>
        <comment>thousand</comment>
        <translation>k</translation>
    </message>
    <message>
        <source>J</source>
        <translation>J</translation>
    </message>
</context>
<context>
    <name>UserBubble</name>
    <message>
        <source>You</source>
        <translation>Vous</translation>
    </message>
    <message>
        <source>Show all {n} characters</source>
        <translation>Afficher les {n} caractères</translation>
    </message>
</context>
<context>
    <name>UserFoot</name>
    <message>
        <source>Copy message</source>
        <translation>Copier le message</translation>
    </message>
    <message>
        <source>Edit the message</source>
        <translation>Modifier le message</translation>
    </message>
</context>
<context>
    <name>WatchingPanel</name>
    <message>
        <source>Shows when a model is loaded</source>
        <translation>S’affiche quand un modèle est chargé</translation>
    </message>
    <message>
        <source>Shows when it was measured</source>
        <translation>S’affiche après une mesure</translation>
    </message>
    <message>
        <source>Share of the decode rate that these panels and the samples take: the median of pairs of short runs, one with the panels live and samples four times a second, the other without both, in turn. It lies between the two values given with a certainty of {level} % (bootstrap over the pairs). The rates are stamped in the engine. It depends on the model and on the panels shown. Drawing the text of an answer is not part of it.</source>
        <translation>Part du débit de décodage que prennent ces panneaux et les mesures&#x202f;: la médiane de paires de courts essais, l’un avec les panneaux en direct et quatre mesures par seconde, l’autre sans les deux, à tour de rôle. Elle se trouve entre les deux valeurs données avec une certitude de {level}&#x202f;% (bootstrap sur les paires). Les débits sont horodatés dans le moteur. Elle dépend du modèle et des panneaux affichés. L’affichage du texte d’une réponse n’en fait pas partie.</translation>
    </message>
    <message>
        <source>not measurable</source>
        <translation>non mesurable</translation>
    </message>
    <message>
        <source>if anything</source>
        <translation>ou rien</translation>
    </message>
    <message>
        <source>between {low} and {high}</source>
        <translation>entre {low} et {high}</translation>
    </message>
    <message>
        <source>How much slower the model writes because these panels are watched.</source>
        <translation>De combien le modèle écrit plus lentement parce que l’on regarde ces panneaux.</translation>
    </message>
    <message>
        <source>with the panels</source>
        <translation>avec les panneaux</translation>
    </message>
    <message>
        <source>without them</source>
        <translation>sans eux</translation>
    </message>
    <message>
        <source>pairs of runs →</source>
        <translation>paires de mesures →</translation>
    </message>
    <message>
        <source>{unit}, blue: watched, grey: not</source>
        <translation>{unit}, bleu&#x202f;: observé, gris&#x202f;: non</translation>
    </message>
    <message>
        <source>pair {n}: {watched} watched, {unwatched} not</source>
        <translation>paire {n}&#x202f;: {watched} observé, {unwatched} non</translation>
    </message>
    <message>
        <source>Measuring, pair {n} of {all}…</source>
        <translation>Mesure en cours, paire {n} sur {all}…</translation>
    </message>
    <message>
        <source>Not measured: it was interrupted.</source>
        <translation>Non mesuré&#x202f;: interrompu.</translation>
    </message>
    <message>
        <source>Not measured: the panels were paused or hidden.</source>
        <translation>Non mesuré&#x202f;: les panneaux étaient en pause ou cachés.</translation>
    </message>
    <message>
        <source>Not measured: the model gave too few tokens.</source>
        <translation>Non mesuré&#x202f;: le modèle a donné trop peu de jetons.</translation>
    </message>
    <message>
        <source>The model was no slower with the panels than without them. Measured {date}.</source>
        <translation>Le modèle n’a pas été plus lent avec les panneaux que sans eux. Mesuré le {date}.</translation>
    </message>
    <message>
        <source>Less than {most} of the decode rate, or nothing: it varies by as much anyway. Measured {date}.</source>
        <translation>Moins de {most} du débit de décodage, ou rien&#x202f;: il varie autant de lui-même. Mesuré le {date}.</translation>
    </message>
    <message>
        <source>Watching costs {share} of the decode rate on this machine, measured {date}.</source>
        <translation>Observer coûte {share} du débit de décodage sur cette machine, mesuré le {date}.</translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation>Arrêter la mesure</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Mesurer</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Mesurer de nouveau</translation>
    </message>
    <message>
        <source>Takes at least half a minute, longer with slow models. The model answers to nobody meanwhile, and reads the whole prompt of a chat once more afterwards.</source>
        <translation>Prend au moins une demi-minute, plus avec un modèle lent. Le modèle ne répond à personne pendant ce temps, et relit ensuite tout le prompt d’un chat.</translation>
    </message>
    <message>
        <source>Needs a model that is loaded and does not answer.</source>
        <translation>Demande un modèle chargé qui ne répond pas.</translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <source>New chat</source>
        <translation>Nouveau chat</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>Rechercher dans les conversations</translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation>Nouveau dossier…</translation>
    </message>
    <message>
        <source>Rename the conversation</source>
        <translation>Renommer la conversation</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>Ouvrir un modèle…</translation>
    </message>
    <message>
        <source>Open model folder…</source>
        <translation>Ouvrir un dossier de modèle…</translation>
    </message>
    <message>
        <source>Type a message</source>
        <translation>Saisir un message</translation>
    </message>
    <message>
        <source>Attach files…</source>
        <translation>Joindre des fichiers…</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Arrêter la réponse</translation>
    </message>
    <message>
        <source>Edit the last message</source>
        <translation>Modifier le dernier message</translation>
    </message>
    <message>
        <source>Edit the last answer</source>
        <translation>Modifier la dernière réponse</translation>
    </message>
    <message>
        <source>Answer once more</source>
        <translation>Répondre à nouveau</translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation>Continuer la réponse</translation>
    </message>
    <message>
        <source>Previous variant</source>
        <translation>Variante précédente</translation>
    </message>
    <message>
        <source>Next variant</source>
        <translation>Variante suivante</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>Copier la dernière réponse</translation>
    </message>
    <message>
        <source>Copy the last answer as plain text</source>
        <translation>Copier la dernière réponse en texte brut</translation>
    </message>
    <message>
        <source>Copy conversation</source>
        <translation>Copier la conversation</translation>
    </message>
    <message>
        <source>Export this conversation…</source>
        <translation>Exporter cette conversation…</translation>
    </message>
    <message>
        <source>Export all conversations…</source>
        <translation>Exporter toutes les conversations…</translation>
    </message>
    <message>
        <source>Import conversations…</source>
        <translation>Importer des conversations…</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversations</translation>
    </message>
    <message>
        <source>Live panels</source>
        <translation>Panneaux en direct</translation>
    </message>
    <message>
        <source>A panel on the full screen</source>
        <translation>Un panneau en plein écran</translation>
    </message>
    <message>
        <source>Only the conversation</source>
        <translation>Seulement la conversation</translation>
    </message>
    <message>
        <source>Find in conversation</source>
        <translation>Chercher dans la conversation</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Résultat suivant</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Résultat précédent</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Agrandir le texte</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Réduire le texte</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>Taille normale du texte</translation>
    </message>
    <message>
        <source>Load the model again</source>
        <translation>Recharger le modèle</translation>
    </message>
    <message>
        <source>Engine settings…</source>
        <translation>Réglages du moteur…</translation>
    </message>
    <message>
        <source>Chat settings…</source>
        <translation>Réglages du chat…</translation>
    </message>
    <message>
        <source>Timeline…</source>
        <translation>Chronologie…</translation>
    </message>
    <message>
        <source>Runs…</source>
        <translation>Mesures…</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>Ouvrir le dossier des journaux</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Raccourcis clavier</translation>
    </message>
    <message>
        <source>About Oscillama</source>
        <translation>À propos d’Oscillama</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Quitter</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Panneaux</translation>
    </message>
    <message>
        <source>Write and answer</source>
        <translation>Écrire et répondre</translation>
    </message>
    <message>
        <source>Model and settings</source>
        <translation>Modèle et réglages</translation>
    </message>
    <message>
        <source>Watch and explain</source>
        <translation>Observer et expliquer</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenêtre</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Plus</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Affichage</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Thème</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Taille du texte</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Comme le système</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Clair</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Sombre</translation>
    </message>
</context>
<context>
    <name>_Counts</name>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln jeton</numerusform>
            <numerusform>%Ln jetons</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{part} of %Ln tokens</source>
        <translation>
            <numerusform>{part} sur %Ln jeton</numerusform>
            <numerusform>{part} sur %Ln jetons</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Hint</name>
    <message>
        <source>Drop files to attach them to the message</source>
        <translation>Déposez des fichiers pour les joindre au message</translation>
    </message>
</context>
<context>
    <name>_NoticeLine</name>
    <message>
        <source>Dismiss the notice</source>
        <translation>Fermer l’avis</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Fermer</translation>
    </message>
</context>
</TS>
