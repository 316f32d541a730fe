BEGIN TRANSACTION;
CREATE TABLE chat (
	"match" VARCHAR(32) NOT NULL,
	id INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	text TEXT NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY ("match", id),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "chat" VALUES('6yY3tOrOyCmm',1,0,'hello',1000.0);
CREATE TABLE matches (
	id VARCHAR(32) NOT NULL,
	game VARCHAR(32) NOT NULL,
	rules INTEGER NOT NULL,
	options TEXT NOT NULL,
	"key" VARCHAR(64) NOT NULL,
	commitment VARCHAR(64) NOT NULL,
	status VARCHAR(8) NOT NULL,
	public BOOLEAN NOT NULL,
	host VARCHAR(64) NOT NULL,
	created FLOAT NOT NULL,
	rematch VARCHAR(32) NOT NULL,
	revision INTEGER NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES('6yY3tOrOyCmm','coals',1,'{"pact": "every_devil", "mouth": "20", "track": "200,300,500,800,1200,1600", "open_purses": "no"}','dfa948f047c64df3e861e68fa51d6278eb734390d003122ee47657d765c0ffa5','65e3042a87b7df8c5607ca7444e5cb4c0c66e92119cdb6910894f185118c0b69','running',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',1000.0,'',1);
INSERT INTO "matches" VALUES('tvZp9RWJQi_K','tails',1,'{}','03774415c10704c2d0b500432ae882233b5d2073e3d5c49817ef5c84f6902a49','17f9e263bf694abe3f127890499c3b5686b9b58621af7ab1b634e03c3d5bfcfb','open',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',1000.0,'',0);
CREATE TABLE plies (
	"match" VARCHAR(32) NOT NULL,
	seq INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	events TEXT NOT NULL,
	at FLOAT NOT NULL,
	since INTEGER NOT NULL,
	PRIMARY KEY ("match", seq),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "plies" VALUES('6yY3tOrOyCmm',0,-1,'[[-1, "first 1"]]',1000.0,1);
INSERT INTO "plies" VALUES('6yY3tOrOyCmm',1,0,'[[0, "bet 50"]]',1000.0,1);
INSERT INTO "plies" VALUES('6yY3tOrOyCmm',2,1,'[[1, "bet 50"]]',1000.0,3);
INSERT INTO "plies" VALUES('6yY3tOrOyCmm',3,1,'[[1, "pull"], [-1, "coal 10"]]',1000.0,4);
INSERT INTO "plies" VALUES('6yY3tOrOyCmm',4,1,'[[1, "pull"], [-1, "coal devil"]]',1000.0,5);
INSERT INTO "plies" VALUES('6yY3tOrOyCmm',5,0,'[[0, "pull"], [-1, "coal 25"]]',1000.0,6);
CREATE TABLE seats (
	"match" VARCHAR(32) NOT NULL,
	seat INTEGER NOT NULL,
	kind VARCHAR(8) NOT NULL,
	name VARCHAR(64) NOT NULL,
	owner VARCHAR(64),
	link VARCHAR(64),
	bot VARCHAR(64) NOT NULL,
	stand_in VARCHAR(64) NOT NULL,
	nonce VARCHAR(64) NOT NULL,
	PRIMARY KEY ("match", seat),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE,
	UNIQUE (link)
);
INSERT INTO "seats" VALUES('6yY3tOrOyCmm',0,'person','Ann','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','68afb205d36d31b8');
INSERT INTO "seats" VALUES('6yY3tOrOyCmm',1,'person','Bo','df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb',NULL,'','','2cf26584ecd704d6');
INSERT INTO "seats" VALUES('tvZp9RWJQi_K',0,'person','','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','10032fc26a2e391d');
INSERT INTO "seats" VALUES('tvZp9RWJQi_K',1,'open','',NULL,NULL,'','','');
CREATE TABLE snapshots (
	"match" VARCHAR(32) NOT NULL,
	seq INTEGER NOT NULL,
	layout VARCHAR(32) NOT NULL,
	state BLOB NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX matches_by_status ON matches (status, created);
CREATE INDEX seats_by_owner ON seats (owner);
COMMIT;
